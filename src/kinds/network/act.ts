/** Carries out one step: one switch, one HTTP call each. */
import type { NetworkStatus } from '../../api/network.ts'
import { createNetwork, deleteNetwork, makeDefault, renameNetwork } from '../../cloud/networks.ts'
import type { CallContext } from '../../reconcile/kind.ts'
import { needed } from '../../reconcile/needed.ts'
import type { NetworkStep } from './plan.ts'
import { seenNetwork, type SeenNetwork } from './seen.ts'

export async function actNetwork(
  context: CallContext<NetworkStatus>,
  step: NetworkStep,
  seen: SeenNetwork | undefined,
): Promise<SeenNetwork> {
  const { client } = context.session
  const scope = await context.session.networkScope(context.location)
  switch (step.do) {
    case 'create':
      return seenNetwork(await createNetwork(client, scope, step.name, context.send))
    case 'rename':
      return merged(
        seen,
        seenNetwork(await renameNetwork(client, scope, needed(seen).id, step.name, context.send)),
      )
    case 'makeDefault':
      return merged(seen, seenNetwork(await makeDefault(client, scope, needed(seen).id, context.send)))
    case 'delete': {
      const target = needed(seen)
      await deleteNetwork(client, scope, target.id, context.send)
      context.session.inventory.forget('network', scope, target.id)
      return target
    }
  }
}

/** The reply over what was known; a reply may lack fields. */
function merged(before: SeenNetwork | undefined, reply: SeenNetwork): SeenNetwork {
  return { ...before, ...reply }
}
