/** Stories of several kinds at once, of adoption and of accounts. */
import type { Scenario } from '../steps.ts'
import {
  apply,
  bucket,
  disk,
  edit,
  floatingIP,
  loadBalancer,
  network,
  oneByOne,
  ref,
  remove,
  settle,
  vm,
} from './words.ts'

const net = network('front')
const web = vm('web', { networkRef: ref(net) })
const entry = loadBalancer('entry', {
  networkRef: ref(net),
  rules: [{ sourcePort: 80, targetPort: 8_080 }],
  targets: [ref(web)],
})
/** Users before what they use: the order in which the fewest references are there yet. */
const six = [
  entry,
  floatingIP('public', { vmRef: ref(web) }),
  disk('data', { vmRef: ref(web), sizeGiB: 30 }),
  bucket('assets', { bucketName: 'work-assets' }),
  web,
  net,
]
const stranger = (name: string) => ({ adopt: { id: { stranger: name } } })
const old = [
  network('old', stranger('old-net')),
  { kind: 'CloudVM', name: 'old', spec: stranger('old-vm') },
  disk('old', stranger('old-disk')),
  bucket('old', { bucketName: 'old-bucket', ...stranger('old-bucket') }),
  floatingIP('old', stranger('old-ip')),
  loadBalancer('old', stranger('old-lb')),
]

export const togetherScenarios: readonly Scenario[] = [
  { name: 'six', timeline: oneByOne(apply(...six)) },
  { name: 'six-brief', profiles: ['extended'], timeline: [apply(...six), { do: 'wait', ms: 4_000 }] },
  {
    name: 'adopt',
    strangers: [
      { kind: 'network', name: 'old-net' },
      { kind: 'vm', name: 'old-vm', description: 'made by hand' },
      { kind: 'disk', name: 'old-disk' },
      { kind: 'bucket', name: 'old-bucket' },
      { kind: 'floatingIp', name: 'old-ip' },
      { kind: 'loadBalancer', name: 'old-lb' },
    ],
    timeline: oneByOne(
      apply(...old),
      edit(network('old'), { name: 'ours' }),
      edit(vm('old'), { name: 'ours' }),
    ),
    excused: { leak: 'what was adopted is left, under its new name' },
  },
  {
    name: 'adopt-delete',
    strangers: [{ kind: 'vm', name: 'old-vm', description: 'made by hand' }],
    timeline: oneByOne(
      apply({
        kind: 'CloudVM',
        name: 'old',
        spec: { ...stranger('old-vm'), vcpus: 2, lifecycle: { onDelete: 'Delete' } },
      }),
    ),
    excused: { leak: 'the adopted machine is deleted' },
  },
  {
    name: 'retain',
    timeline: [
      ...oneByOne(
        apply(...six.map((each) => ({ ...each, spec: { ...each.spec, lifecycle: { onDelete: 'Retain' } } }))),
      ),
      ...six.map(remove),
      settle,
    ],
    excused: { leak: 'all of it is retained', owned: 'what was retained has no owner any more' },
  },
  {
    name: 'observe',
    strangers: [{ kind: 'network', name: 'old-net' }],
    timeline: oneByOne(
      apply(
        network('old', { ...stranger('old-net'), lifecycle: { management: 'ObserveOnly' }, name: 'other' }),
      ),
    ),
  },
]
