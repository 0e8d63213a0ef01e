/** Stories of networks. */
import type { Scenario } from '../steps.ts'
import { apply, cloud, edit, idOf, network, oneByOne, remove, settle, vm, ref } from './words.ts'

const net = network('net')
const other = network('other')

export const networkScenarios: readonly Scenario[] = [
  { name: 'network', timeline: oneByOne(apply(net), edit(net, { name: 'renamed' })) },
  { name: 'network-brief', timeline: [apply(net), settle, remove(net), settle] },
  {
    name: 'network-default',
    // A default network cannot be deleted: another one has to become it first.
    timeline: oneByOne(
      apply(net, network('main', { default: true })),
      edit(network('main'), { default: null, lifecycle: { onDelete: 'Retain' } }),
    ),
    excused: { leak: 'the default network is retained', counts: 'which network is the default is left' },
  },
  {
    name: 'network-used',
    timeline: oneByOne(apply(net, vm('web', { networkRef: ref(net) })), remove(net), remove(vm('web'))),
  },
  {
    name: 'network-shared',
    timeline: oneByOne(
      apply(net),
      cloud({ do: 'create', kind: 'vm', name: 'by-hand', network: idOf(net) }),
      remove(net),
    ),
    ends: [{ reason: 'NotEmpty', because: 'what others put into a network holds it' }],
  },
  { name: 'networks', timeline: oneByOne(apply(net, other), edit(other, { name: 'second' }), remove(net)) },
]
