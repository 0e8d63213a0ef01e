/** Stories of operations on machines and of copies of them. */
import type { Scenario } from '../steps.ts'
import { apply, idOf, oneByOne, ref, remove, vm } from './words.ts'

const web = vm('web')
const snap = { kind: 'CloudSnapshot', name: 'snap', spec: { vmRef: ref(web) } }
const old = { kind: 'CloudVM', name: 'web', spec: { adopt: { id: { stranger: 'old-vm' } } } }
const reinstall = (more: object) =>
  operation({
    reinstall: { image: { os: 'ubuntu', version: '24.04' } },
    confirmVMID: { stranger: 'old-vm' },
    ...more,
  })

export const operationScenarios: readonly Scenario[] = [
  { name: 'restart', timeline: oneByOne(apply(web), apply(operation({ restart: {} }))) },
  {
    name: 'restart-of-a-stopped',
    timeline: oneByOne(apply(vm('web', { powerState: 'Stopped' })), apply(operation({ restart: {} }))),
    ends: [
      {
        kind: 'CloudVMOperation',
        reason: 'InvalidSpec',
        because: 'its machine is to be off, and a restart ends with it running',
      },
    ],
  },
  { name: 'rescue', timeline: oneByOne(apply(web), apply(operation({ rescue: {} }))) },
  {
    name: 'reinstall',
    strangers: [{ kind: 'vm', name: 'old-vm' }],
    timeline: oneByOne(apply(old), apply(reinstall({ expiresAt: '2026-01-02T00:00:00Z' }))),
  },
  {
    name: 'expired',
    strangers: [{ kind: 'vm', name: 'old-vm' }],
    timeline: oneByOne(apply(old), apply(reinstall({ expiresAt: '2025-12-31T00:00:00Z' }))),
    ends: [{ kind: 'CloudVMOperation', reason: 'Expired', because: 'its time is over before it begins' }],
  },
  { name: 'snapshot', timeline: oneByOne(apply(web), apply(snap)) },
  {
    name: 'rebuild',
    timeline: oneByOne(
      apply(web),
      apply(snap),
      apply(
        operation({
          rebuild: { snapshotRef: ref(snap) },
          confirmVMID: idOf(web),
          expiresAt: '2026-01-02T00:00:00Z',
        }),
      ),
    ),
  },
  {
    name: 'vm-from-snapshot',
    timeline: oneByOne(
      apply(web),
      apply(snap),
      apply({
        kind: 'CloudVM',
        name: 'copy',
        spec: { source: { snapshotRef: ref(snap) }, vcpus: 1, memoryMiB: 1_024 },
      }),
      remove(snap),
    ),
  },
]

function operation(spec: Readonly<Record<string, unknown>>) {
  return { kind: 'CloudVMOperation', name: 'task', spec: { vmRef: ref(web), ...spec } }
}
