/** Decides what to do with a network. Pure. Rules of the service are the lines below. */
import { blocked, steps, waiting, type Plan, type StepFacts } from '../../reconcile/plan.ts'
import type { SeenNetwork } from './seen.ts'

export interface WantedNetwork {
  /** With the marker as its suffix; without it for an adopted network, whose name may be left alone. */
  readonly name: string | undefined
  readonly makeDefault: boolean
  /** Another object declares itself the default network and is older: its name. */
  readonly olderDefault: string | undefined
}

export type NetworkStep =
  | { readonly do: 'create'; readonly name: string }
  | { readonly do: 'rename'; readonly name: string }
  | { readonly do: 'makeDefault' }
  | { readonly do: 'delete' }

export function planNetwork(want: WantedNetwork, seen: SeenNetwork | undefined): Plan<NetworkStep> {
  const name = want.name
  // Without a name the service would answer with the shared default network.
  if (seen === undefined) {
    return name === undefined
      ? blocked('InvalidSpec', 'spec.name: a network needs a name')
      : steps({ do: 'create', name })
  }
  const list: NetworkStep[] = []
  if (name !== undefined && seen.label !== undefined && seen.label !== name) list.push({ do: 'rename', name })
  if (!want.makeDefault) return { steps: list }
  if (want.olderDefault === undefined) {
    return { steps: seen.isDefault === false ? [...list, { do: 'makeDefault' }] : list }
  }
  const message = `spec.default: CloudNetwork ${want.olderDefault} is older and already declares itself the default network; remove default from one of the two`
  return { steps: list, block: { reason: 'DefaultConflict', message } }
}

export function planNetworkGone(seen: SeenNetwork): Plan<NetworkStep> {
  if (seen.isDefault === true) {
    return waiting(
      'DefaultConflict',
      'the default network cannot be deleted: make another network the default (spec.default: true on it), or set spec.lifecycle.onDelete: Retain',
    )
  }
  const members = Math.max(seen.vmIDs?.length ?? 0, seen.resources ?? 0)
  if (members > 0) {
    return waiting(
      'NotEmpty',
      `a network can be deleted only when nothing is in it: it still holds ${listed(seen.vmIDs)}; delete or move what is in it`,
    )
  }
  return steps({ do: 'delete' })
}

export function networkFacts(step: NetworkStep): StepFacts {
  switch (step.do) {
    case 'create':
      return { nature: 'create', words: `create the network ${step.name}` }
    case 'rename':
      return { nature: 'set', words: `rename the network to ${step.name}` }
    case 'makeDefault':
      return { nature: 'set', words: 'make the network the default one' }
    case 'delete':
      return { nature: 'destroy', words: 'delete the network' }
  }
}

function listed(vmIDs: readonly string[] | undefined): string {
  if (vmIDs === undefined || vmIDs.length === 0) return 'resources'
  const shown = vmIDs.slice(0, 5).join(', ')
  return vmIDs.length > 5 ? `${shown} and others` : shown
}
