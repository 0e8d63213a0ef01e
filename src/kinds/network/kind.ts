/** CloudNetwork: how the pipeline reads, plans, changes and reports private networks. */
import type { CloudNetwork, NetworkStatus } from '../../api/network.ts'
import type { KindDefinition } from '../../reconcile/kind.ts'
import { markedName } from '../../reconcile/marker.ts'
import { resourceType } from '../../reconcile/resource.ts'
import { actNetwork } from './act.ts'
import { networkFacts, planNetwork, planNetworkGone, type NetworkStep, type WantedNetwork } from './plan.ts'
import { networkReads, type SeenNetwork } from './seen.ts'

const UNTIL = 'a network is deleted once nothing is in it: delete these first'

export const networkKind: KindDefinition<
  CloudNetwork,
  WantedNetwork,
  SeenNetwork,
  NetworkStep,
  NetworkStatus
> = {
  kind: 'CloudNetwork',
  type: resourceType('CloudNetwork'),
  noun: 'network',
  reads: networkReads,
  creation: {
    identity: () => 'marker',
    candidate: (want, row) => row.label === want.name,
  },
  links: () => [],
  secrets: () => [],
  want: (object, facts) => {
    const wanted = object.spec.default === true
    const older = wanted
      ? facts.peers().find((peer) => (peer as CloudNetwork).spec.default === true)
      : undefined
    const first = older === undefined || older.metadata.uid === object.metadata.uid
    const base = object.spec.name ?? object.metadata.name
    const named = object.spec.adopt === undefined || object.spec.name !== undefined
    return {
      is: 'ready',
      want: {
        name: named ? markedName(base, facts.marker) : undefined,
        makeDefault: wanted,
        olderDefault: first ? undefined : older.metadata.name,
      },
    }
  },
  plan: planNetwork,
  planGone: planNetworkGone,
  facts: networkFacts,
  act: (context, step, _want, seen) => actNetwork(context, step, seen),
  effect: () => true,
  report: (seen) => ({
    ...(seen.subnet !== undefined && { subnet: seen.subnet }),
    ...(seen.subnetIPv6 !== undefined && { subnetIPv6: seen.subnetIPv6 }),
    ...(seen.isDefault !== undefined && { isDefault: seen.isDefault }),
  }),
  usability: () => ({ usable: true, reason: 'Available', message: 'The network is available.' }),
  heldBy: [
    { kind: 'CloudVM', holds: () => true, until: UNTIL },
    { kind: 'CloudLoadBalancer', holds: () => true, until: UNTIL },
  ],
  // A network without members holds no data and no address; with members it cannot vanish.
  remakes: () => true,
}
