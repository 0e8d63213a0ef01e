/** Stories of what hangs on a machine: disks, addresses, load balancers. */
import type { Scenario } from '../steps.ts'
import { apply, disk, edit, floatingIP, loadBalancer, network, oneByOne, ref, remove, vm } from './words.ts'

const web = vm('web')
const db = vm('db')
const data = disk('data', { sizeGiB: 10 })
const attached = disk('data', { sizeGiB: 10, vmRef: ref(web) })
const address = floatingIP('public')
const assigned = floatingIP('public', { vmRef: ref(web) })
const snap = { kind: 'CloudSnapshot', name: 'snap', spec: { vmRef: ref(web) } }
const net = network('net')
const inNet = (name: string) => vm(name, { networkRef: ref(net) })
const entry = (more: object = {}) =>
  loadBalancer('entry', {
    networkRef: ref(net),
    rules: [{ sourcePort: 80, targetPort: 8_080 }],
    targets: [{ name: 'web' }],
    ...more,
  })

export const attachedScenarios: readonly Scenario[] = [
  { name: 'disk', timeline: oneByOne(apply(data)) },
  { name: 'disks', timeline: oneByOne(apply(data, disk('logs', { sizeGiB: 10 })), remove(data)) },
  {
    // What each sends names the one machine.
    name: 'attached-together',
    timeline: oneByOne(
      apply(web),
      apply(attached, disk('logs', { sizeGiB: 10, vmRef: ref(web) }), assigned, snap),
    ),
  },
  {
    name: 'copied-together',
    timeline: oneByOne(
      apply(web),
      apply(attached, snap, {
        kind: 'CloudVM',
        name: 'clone',
        spec: { source: { vmRef: ref(web) } },
      }),
    ),
  },
  { name: 'disk-attach', timeline: oneByOne(apply(web, attached)) },
  {
    name: 'disk-move',
    timeline: oneByOne(apply(web, db, attached), edit(data, { vmRef: ref(db) }), edit(data, { vmRef: null })),
  },
  { name: 'disk-grow', timeline: oneByOne(apply(web, attached), edit(data, { sizeGiB: 20 })) },
  { name: 'disk-vm-deleted', timeline: oneByOne(apply(web, attached), remove(web)) },
  {
    name: 'disk-boots',
    timeline: oneByOne(
      apply(disk('boot', { sizeGiB: 20, source: { image: { os: 'ubuntu', version: '24.04' } } })),
      apply({
        kind: 'CloudVM',
        name: 'web',
        spec: { source: { diskRef: { name: 'boot' } }, vcpus: 1, memoryMiB: 1_024 },
      }),
    ),
  },
  { name: 'ip', timeline: oneByOne(apply(address), edit(address, { name: 'renamed' })) },
  { name: 'ip-assign', timeline: oneByOne(apply(web, assigned)) },
  {
    name: 'ip-move',
    timeline: oneByOne(
      apply(web, db, assigned),
      edit(address, { vmRef: ref(db) }),
      edit(address, { vmRef: null }),
    ),
  },
  { name: 'ip-vm-deleted', timeline: oneByOne(apply(web, assigned), remove(web)) },
  {
    name: 'lb',
    timeline: oneByOne(apply(net, inNet('web'), entry())),
    excused: {},
  },
  {
    name: 'lb-edit',
    profiles: ['extended'],
    timeline: oneByOne(
      apply(net, inNet('web'), inNet('db'), entry()),
      edit(entry(), { targets: [{ name: 'db' }] }),
      edit(entry(), { rules: [{ sourcePort: 443, targetPort: 8_443 }] }),
      edit(entry(), { name: 'renamed' }),
    ),
  },
  {
    name: 'lb-address',
    timeline: oneByOne(apply(net, entry({ targets: [], publicIP: 'Reserve' })), remove(entry())),
  },
  {
    name: 'lb-with-ip',
    profiles: ['extended'],
    timeline: oneByOne(
      apply(net, inNet('web'), entry(), floatingIP('front', { loadBalancerRef: { name: 'entry' } })),
    ),
  },
]
