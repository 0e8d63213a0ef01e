/** Virtual machines as the service keeps them: sized while off, given passwords while on, and taking their disks along. */
import type { Operation } from '../../../src/api/shared.ts'
import type { CloudVM, VmStatus } from '../../../src/api/vm.ts'
import { vmKind } from '../../../src/kinds/vm/kind.ts'
import type { WantedVm } from '../../../src/kinds/vm/plan.ts'
import type { SeenVm } from '../../../src/kinds/vm/seen.ts'
import type { VmStep } from '../../../src/kinds/vm/steps.ts'
import type { Model, Served, State } from '../model.ts'
import { vmRules } from './vm-rules.ts'

export interface VmDisk {
  readonly uuid: string
  readonly sizeGiB: number
  readonly boots: boolean
}

export interface Machine {
  /** starting, stopping: on the way. migrating: it stays so. */
  readonly power: 'running' | 'stopped' | 'starting' | 'stopping' | 'migrating'
  readonly name: string
  readonly vcpus: number
  readonly memoryMiB: number
  readonly backups: boolean
  readonly username: string
  readonly billingAccount: number
  readonly poolID: string
  readonly disks: readonly VmDisk[]
  readonly hides: {
    readonly [
      Field in
        | 'power'
        | 'name'
        | 'vcpus'
        | 'memoryMiB'
        | 'backups'
        | 'username'
        | 'billingAccount'
        | 'poolID'
        | 'disks'
        | 'diskSizes'
        /** Which disk it boots from. */
        | 'boots'
    ]?: true
  }
  /** What the guest does when it is asked to shut down: obeys at once, after a while, or never. */
  readonly guest: 'obeys' | 'slow' | 'deaf'
  /** What the service does with another size: gives it, takes it and gives none, refuses it. */
  readonly sizes: 'given' | 'rounded' | 'refused'
  /** Every disk is shown as the one it boots from. */
  readonly allBoot?: true
  /** Takes a name or a disk's size, and changes nothing. */
  readonly deaf?: true
  /** A disk shows as detached only after a while. */
  readonly slowDisks?: true
  readonly leaving?: string
}

export interface VmWords {
  object: CloudVM
  want: WantedVm
  cloud: Machine
  seen: SeenVm
  step: VmStep
  status: VmStatus
}

function look(cloud: Machine): SeenVm {
  const { hides } = cloud
  const between = cloud.power !== 'running' && cloud.power !== 'stopped'
  return {
    id: 'vm',
    ...(hides.power !== true && { power: between ? 'between' : cloud.power, powerWord: cloud.power }),
    ...(hides.name !== true && { name: cloud.name }),
    ...(hides.vcpus !== true && { vcpus: cloud.vcpus }),
    ...(hides.memoryMiB !== true && { memoryMiB: cloud.memoryMiB }),
    ...(hides.backups !== true && { backups: cloud.backups }),
    ...(hides.username !== true && { username: cloud.username }),
    ...(hides.billingAccount !== true && { billingAccount: cloud.billingAccount }),
    ...(hides.poolID !== true && { poolID: cloud.poolID, poolName: 'pool' }),
    ...(hides.disks !== true && { storage: storageOf(cloud) }),
  }
}

function storageOf({ disks, hides, allBoot }: Machine): NonNullable<SeenVm['storage']> {
  return disks.map(({ uuid, sizeGiB, boots }) => ({
    uuid,
    ...(hides.diskSizes !== true && { sizeGiB }),
    ...(hides.boots !== true && { primary: boots || allBoot === true }),
  }))
}

function serve({ cloud }: State<VmWords>, step: VmStep): Served<VmWords> {
  if (step.do === 'create') return created(step)
  if (cloud === undefined) throw new Error('there is no machine')
  switch (step.do) {
    case 'rename':
      return done(cloud, cloud.deaf === true ? {} : { name: step.name })
    case 'growBootDisk':
      return done(cloud, cloud.deaf === true ? {} : { disks: grown(cloud, step) })
    case 'toggleBackups':
      return done(cloud, { backups: !cloud.backups })
    case 'setPassword':
      return { is: 'done', cloud, answer: { ...look(cloud), passwordSet: applied(step) } }
    case 'stop':
      return stopped(cloud)
    case 'forceStop':
      return done(cloud, { power: 'stopped' })
    case 'resize':
      return resized(cloud, step)
    case 'start':
      return done(cloud, cloud.power === 'stopped' ? { power: 'starting' } : {})
    case 'detachDisk':
      return cloud.slowDisks === true
        ? { is: 'done', cloud: { ...cloud, leaving: step.diskID }, later: true }
        : done(cloud, { disks: without(cloud, step.diskID) })
    case 'delete':
      // The service deletes what is attached with the machine.
      return { is: 'done', cloud: undefined, lost: without(cloud, 'boot').map(({ uuid }) => uuid) }
    case 'releaseAddress':
    case 'deleteBootDisk':
      throw new Error('what is left behind is not part of a plan')
  }
}

function applied(step: Extract<VmStep, { do: 'setPassword' }>): NonNullable<VmStatus['passwordApplied']> {
  const { secretUID, secretVersion, operations } = step
  return { secretUID, secretVersion, ...(operations !== undefined && { operations: [...operations] }) }
}

function done(cloud: Machine, fields: Partial<Machine>): Served<VmWords> {
  return { is: 'done', cloud: { ...cloud, ...fields } }
}

function grown({ disks }: Machine, { diskID, sizeGiB }: Extract<VmStep, { do: 'growBootDisk' }>) {
  return disks.map((disk) => (disk.uuid === diskID ? { ...disk, sizeGiB } : disk))
}

function without({ disks }: Machine, id: string): readonly VmDisk[] {
  return disks.filter(({ uuid }) => uuid !== id)
}

function stopped(cloud: Machine): Served<VmWords> {
  if (cloud.power !== 'running') return done(cloud, {})
  if (cloud.guest === 'obeys') return done(cloud, { power: 'stopped' })
  return {
    is: 'done',
    cloud: cloud.guest === 'slow' ? { ...cloud, power: 'stopping' } : cloud,
    later: true,
  }
}

function resized(cloud: Machine, { vcpus, memoryMiB }: Extract<VmStep, { do: 'resize' }>): Served<VmWords> {
  if (cloud.sizes === 'refused') return { is: 'refused', text: 'Quota exceeded' }
  if (cloud.sizes === 'rounded') return { is: 'done', cloud }
  return done(cloud, { vcpus: vcpus ?? cloud.vcpus, memoryMiB: memoryMiB ?? cloud.memoryMiB })
}

function created({ vm }: Extract<VmStep, { do: 'create' }>): Served<VmWords> {
  const clone = 'cloneOf' in vm
  const cloud: Machine = {
    power: 'running',
    name: vm.name,
    vcpus: clone ? 1 : vm.vcpus,
    memoryMiB: clone ? 1024 : vm.memoryMiB,
    backups: clone ? false : (vm.backups ?? false),
    username: 'admin',
    billingAccount: clone ? 1 : vm.billingAccount,
    poolID: 'pool-1',
    disks: [{ uuid: 'boot', sizeGiB: clone || !('os' in vm.from) ? 10 : vm.from.bootDiskGiB, boots: true }],
    hides: {},
    guest: 'obeys',
    sizes: 'given',
  }
  const password = clone ? undefined : vm.password
  const sent = password && { secretUID: password.uid, secretVersion: password.version }
  return { is: 'done', cloud, ...(sent !== undefined && { learned: { passwordApplied: sent } }) }
}

function elapse(cloud: Machine): Machine {
  if (cloud.power === 'starting') return { ...cloud, power: 'running' }
  if (cloud.power === 'stopping') return { ...cloud, power: 'stopped' }
  if (cloud.leaving === undefined) return cloud
  const { leaving, ...rest } = cloud
  return { ...rest, disks: without(cloud, leaving) }
}

function stepOf({ verb, details = {} }: Operation): VmStep | undefined {
  switch (verb) {
    case 'stop':
    case 'forceStop':
      // Late, but it comes: a guest that never obeys has no open stop of this kind.
      return { do: 'forceStop', because: 'power', mode: 'Force' }
    case 'toggleBackups':
      return { do: 'toggleBackups', to: details['to'] === 'true' }
    case 'detachDisk':
      return { do: 'detachDisk', diskID: details['disk'] ?? '' }
    default:
      return undefined
  }
}

export const vmService: Omit<Model<VmWords>, 'ends' | 'states'> = {
  kind: 'CloudVM',
  planner: vmKind,
  object: ({ stopMode }) => ({ spec: { stop: { mode: stopMode } } }) as CloudVM,
  look,
  serve,
  elapse,
  made: (want) => ({ ...want, create: undefined }),
  stepOf,
  names: (step) => {
    if (step.do !== 'create') return ['vm']
    // A clone names its original, and a copy of a snapshot the machine that it is of.
    if ('cloneOf' in step.vm) return [step.vm.cloneOf]
    return 'vmID' in step.vm.from ? [step.vm.from.vmID] : []
  },
  // A deletion is the user's word already.
  stops: (_state, step) =>
    step.do === 'stop' || step.do === 'forceStop' ? step.because !== 'deletion' : undefined,
  rules: vmRules,
  most: 12,
}
