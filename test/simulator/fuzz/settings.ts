/** In which services the calls are tried: both profiles, with rules turned, times and faults. */
import type { Fault } from '../../../src/simulator/faults.ts'
import type { Profile, Quota } from '../../../src/simulator/state/model.ts'
import type { Rules } from '../../../src/simulator/state/rules.ts'
import type { Timing } from '../../../src/simulator/timing.ts'

export interface Setting {
  name: string
  profile: Profile
  timing: Timing
  rules: Partial<Rules>
  quota?: Quota
  /** Faults that are armed now and then, each for the next call. */
  faults: readonly Pick<Fault, 'point' | 'action' | 'effectAfterMs'>[]
}

const otherRules: Partial<Rules> = {
  acpiIgnored: true,
  reuseAddresses: true,
  deletedRowsInLists: true,
  sparseVmRows: true,
  memberLagMs: 5000,
  attachLagMs: 3000,
  dataDisksDieWithVm: false,
  storageDeleteLeavesDisk: true,
  powerNoop: 'refuse',
  ramStepMib: 1024,
  diskStepGib: 10,
  refuseDeleteOfAssigned: true,
  newKeyPlace: 'first',
}

const answer = { status: 503, body: { message: 'later' }, headers: { 'retry-after': '1' } }

const faults: Setting['faults'] = [
  { point: 'before', action: { answer } },
  { point: 'before', action: { answer }, effectAfterMs: 2000 },
  { point: 'afterCommit', action: { answer: { status: 502, raw: '<html>', contentType: 'text/html' } } },
  { point: 'before', action: { reset: true } },
  { point: 'afterCommit', action: { reset: true } },
  { point: 'before', action: { hang: true } },
  { point: 'afterCommit', action: { hang: true } },
  { point: 'afterCommit', action: { truncate: true } },
  { point: 'before', action: { delayMs: 300 } },
  { point: 'afterCommit', action: { delayMs: 300 } },
  { point: 'afterCommit', action: { lagReads: { forMs: 4000 } } },
  { point: 'afterCommit', action: { listOmit: { forCalls: 3 } } },
  { point: 'before', action: { shuffle: true } },
  { point: 'before', action: { repeat: true } },
]

const plain = { timing: 'instant', rules: {}, faults: [] } as const

export const settings: readonly Setting[] = [
  { ...plain, name: 'extended', profile: 'extended' },
  { ...plain, name: 'documented', profile: 'documented' },
  { ...plain, name: 'extended, other rules', profile: 'extended', rules: otherRules },
  {
    ...plain,
    name: 'documented, other rules',
    profile: 'documented',
    rules: {
      ...otherRules,
      tombstones: true,
      loadBalancerOperations: true,
      loadBalancerCreateAnswer: 'empty',
    },
  },
  { ...plain, name: 'extended, real times', profile: 'extended', timing: 'real' },
  { ...plain, name: 'documented, real times', profile: 'documented', timing: 'real' },
  {
    ...plain,
    name: 'extended, small quota',
    profile: 'extended',
    rules: { tombstones: false },
    quota: {
      ...{ vms: 4, vcpus: 12, memoryMib: 16_384, disks: 8, diskGib: 400 },
      ...{ buckets: 3, networks: 3, floatingIps: 3, loadBalancers: 2, tokens: 4 },
    },
  },
  { ...plain, name: 'extended, faults', profile: 'extended', faults },
]

/** The setting of a seed: each comes every so many seeds. */
export function settingOf(seed: number): Setting {
  const setting = settings[seed % settings.length]
  if (setting === undefined) throw new Error('no settings')
  return setting
}
