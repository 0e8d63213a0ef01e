/**
 * Stories that stand for one rule each and show the fault that breaks it, outside of the sweep: test/seeded asks for them by name.
 */
import type { PersonStep, Scenario } from '../steps.ts'
import {
  annotate,
  apply,
  bucket,
  cloud,
  disk,
  edit,
  idOf,
  network,
  oneByOne,
  ref,
  remove,
  settle,
  vm,
  wait,
} from './words.ts'

const web = vm('web')
const net = network('net')
const TEN = { sizeGiB: 10 }
const RETAIN = { lifecycle: { onDelete: 'Retain' } }
const HELD = 'by design it stays where it is until a person decides'
const held = { converges: HELD, leak: HELD }
const boot = (more: object = {}) =>
  disk('boot', { sizeGiB: 20, source: { image: { os: 'ubuntu', version: '24.04' } }, ...more })
const fromBoot = (more: object = {}) => ({
  kind: 'CloudVM',
  name: 'web',
  spec: { source: { diskRef: { name: 'boot' } }, vcpus: 1, memoryMiB: 1_024, ...more },
})
const keys = { kind: 'CloudAccessKey', name: 'keys', spec: { secretName: 's3' } }
const snap = { kind: 'CloudSnapshot', name: 'snap', spec: { vmRef: ref(web) } }
const adopting = (name: string, stranger: string, more: object = {}) =>
  network(name, { adopt: { id: { stranger } }, ...more })
const adoptingVM = (name: string, inCloud: string) => ({
  kind: 'CloudVM',
  name,
  spec: { adopt: { id: { stranger: 'old-vm' } }, name: inCloud },
})
const password = (pw: string): PersonStep => ({ do: 'secret', name: 'login', data: { pw } })

export const seededScenarios: readonly Scenario[] = [
  {
    name: 'adopt-twice',
    strangers: [{ kind: 'vm', name: 'old-vm' }],
    timeline: oneByOne(apply(adoptingVM('one', 'first')), apply(adoptingVM('two', 'second'))),
    excused: { converges: 'one cloud object has one owner', leak: 'what was adopted is left' },
  },
  {
    name: 'adopt-marked',
    strangers: [{ kind: 'network', name: 'old-net-abcdefghijklmn' }],
    timeline: oneByOne(apply(adopting('one', 'old-net-abcdefghijklmn', { name: 'ours' }))),
    excused: { converges: 'it carries the marker of another owner', leak: 'what was adopted is left' },
  },
  {
    name: 'disk-beside-another',
    profiles: ['documented'],
    account: { dedicated: true },
    strangers: [{ kind: 'disk', name: 'of-somebody', sizeGib: 15 }],
    timeline: oneByOne(apply(disk('a', { sizeGiB: 15 }))),
  },
  { name: 'network-waits', timeline: [apply(net), settle, wait(300), settle] },
  { name: 'keys-brief', timeline: [apply(keys), settle, remove(keys), settle] },
  {
    name: 'answer-to-another',
    profiles: ['documented'],
    timeline: oneByOne(
      apply(disk('data', TEN)),
      annotate(disk('data'), { 'cloud-operator.dev/resolve': '0123456789abcdef=none' }),
    ),
    excused: { converges: HELD },
  },
  {
    name: 'boots-kept',
    timeline: [apply(boot(RETAIN)), settle, apply(fromBoot()), settle, remove(web), settle],
    excused: held,
  },
  {
    name: 'boots-kept-first',
    timeline: [
      apply(boot(RETAIN)),
      settle,
      apply(fromBoot()),
      settle,
      remove(boot()),
      settle,
      remove(web),
      settle,
    ],
    excused: held,
  },
  {
    name: 'snapshot-held',
    timeline: [apply(web), settle, apply(snap), settle, remove(web), settle, remove(snap), settle],
  },
  {
    name: 'bucket-replaced',
    timeline: [
      apply(bucket('assets', { bucketName: 'work-assets' })),
      settle,
      cloud({ do: 'delete', kind: 'bucket', id: 'work-assets' }),
      wait(5),
      cloud({ do: 'create', kind: 'bucket', name: 'work-assets' }),
      remove(bucket('assets')),
      settle,
    ],
  },
  {
    name: 'orphan',
    timeline: [
      apply(network('kept', RETAIN), net),
      settle,
      remove(network('kept')),
      settle,
      wait(1_300),
      settle,
    ],
    excused: { leak: 'it is retained', owned: 'what was retained has no owner any more' },
  },
  {
    name: 'observe-delete',
    strangers: [{ kind: 'network', name: 'old-net' }],
    timeline: [
      apply(
        network('old', {
          adopt: { id: { stranger: 'old-net' } },
          lifecycle: { management: 'ObserveOnly', onDelete: 'Delete' },
        }),
      ),
      settle,
      remove(network('old')),
      settle,
    ],
  },
  {
    name: 'password-off',
    timeline: [
      password('First-Pass-1'),
      ...oneByOne(
        apply(vm('web', { powerState: 'Stopped', passwordSecretRef: { name: 'login', key: 'pw' } })),
      ),
      password('Second-Pass-2'),
      wait(90),
      settle,
    ],
    excused: { converges: 'a password is set only while the machine runs' },
  },
  {
    name: 'resize-refused',
    timeline: [apply(web), settle, edit(web, { vcpus: 65 }), settle, wait(120), settle],
    excused: { converges: 'the service refuses the size' },
  },
  {
    name: 'vm-between',
    timeline: [
      apply(vm('web', { powerState: 'Running' })),
      settle,
      cloud({ do: 'setVm', uuid: idOf(web), set: { status: 'migrating' } }),
      edit(web, { vcpus: 2 }),
      wait(60),
    ],
    excused: {
      converges: 'the machine never leaves that state',
      leak: 'the machine never leaves that state',
    },
  },
  {
    name: 'disk-shrinks',
    timeline: oneByOne(
      apply(web, disk('data', { sizeGiB: 10, vmRef: ref(web) })),
      cloud({ do: 'setDisk', uuid: idOf(disk('data')), set: { sizeGib: 30 } }),
      wait(120),
    ),
    excused: { converges: 'a disk only grows' },
  },
  {
    name: 'boot-disk-shrinks',
    strangers: [{ kind: 'vm', name: 'old-vm', sizeGib: 20 }],
    timeline: oneByOne(
      apply({
        kind: 'CloudVM',
        name: 'web',
        spec: { adopt: { id: { stranger: 'old-vm' } }, bootDisk: { sizeGiB: 10 } },
      }),
    ),
    excused: { converges: 'a disk only grows' },
  },
  {
    name: 'disk-grows-alone',
    timeline: oneByOne(apply(disk('data', TEN)), edit(disk('data'), { sizeGiB: 20 })),
    excused: { converges: 'a disk grows only through a machine' },
  },
  {
    name: 'disk-vanished',
    timeline: oneByOne(
      apply(disk('data', TEN)),
      cloud({ do: 'delete', kind: 'disk', id: idOf(disk('data')) }),
      wait(400),
    ),
    excused: { converges: 'what it held is gone: another one is a decision' },
  },
  {
    name: 'place-moves',
    timeline: oneByOne(
      apply(disk('data', TEN)),
      edit({ kind: 'CloudAccount', name: 'default' }, { defaultLocation: 'sgp01' }),
      wait(200),
    ),
  },
]
