/** Decides what to do with a floating IP. Pure. Rules of the service are the lines below. */
import type { FloatingIpStatus } from '../../api/floatingip.ts'
import type { Operation } from '../../api/shared.ts'
import type { Memory, Patch } from '../../reconcile/kind.ts'
import { blocked, steps, type Plan, type StepFacts, type Wait } from '../../reconcile/plan.ts'
import type { SeenFloatingIp } from './seen.ts'

export type TargetKind = 'CloudVM' | 'CloudLoadBalancer'

export interface Target {
  readonly kind: TargetKind
  readonly name: string
  readonly id: string
}

export type WantedTarget =
  | ({ readonly is: 'ready' } & Target)
  /** It will have an id later: until then nothing moves. */
  | { readonly is: 'waiting'; readonly message: string }
  | { readonly is: 'nothing' }
  /** Not compared: an observed address without a reference. */
  | { readonly is: 'unmanaged' }

export interface WantedFloatingIp {
  /** With the marker as its suffix; undefined for an adopted address whose name is left alone. */
  readonly name: string | undefined
  /** Whom a new address is charged to. */
  readonly chargedTo: number
  /** Whom it stays charged to; undefined: not managed. */
  readonly billingAccount: number | undefined
  readonly target: WantedTarget
  /** False where the service is known to have no such form of assign. */
  readonly assignsLoadBalancers: boolean
  /** Nothing is ever done: differences are listed, conflicts are nobody's. */
  readonly observes: boolean
}

export type FloatingIpStep =
  | { readonly do: 'create'; readonly name: string; readonly billingAccount: number }
  | { readonly do: 'update'; readonly name?: string; readonly billingAccount?: number }
  | { readonly do: 'unassign'; readonly from: string }
  | { readonly do: 'assign'; readonly target: Target }
  | { readonly do: 'delete' }

export function planFloatingIp(
  want: WantedFloatingIp,
  seen: SeenFloatingIp | undefined,
  memory: Memory<FloatingIpStatus>,
): Plan<FloatingIpStep> {
  if (seen === undefined) return planNew(want)
  const move = planMove(want, seen, memory)
  const list = [...move.steps, ...planUpdate(want, seen)]
  if (list.length > 0 && move.wait !== undefined) return { steps: list }
  if (seen.enabled !== false || move.block !== undefined) return { ...move, steps: list }
  const message =
    'the service has disabled this address: ask the provider or see to the billing account; it is looked at again by itself'
  return { ...move, steps: list, block: { reason: 'Suspended', message } }
}

function planNew(want: WantedFloatingIp): Plan<FloatingIpStep> {
  if (want.target.is === 'waiting') return waitFor(want.target.message)
  if (want.name === undefined) return blocked('InvalidSpec', 'spec.name: a new floating IP needs a name')
  return steps({ do: 'create', name: want.name, billingAccount: want.chargedTo })
}

/** A move is unassign, see it, assign: an assigned address is never assigned again. */
function planMove(
  want: WantedFloatingIp,
  seen: SeenFloatingIp,
  memory: Memory<FloatingIpStatus>,
): Plan<FloatingIpStep> {
  const { target } = want
  const current = seen.assigned?.to
  if (target.is === 'unmanaged') return steps()
  if (target.is === 'ready' && target.id === current) return steps()
  if (target.is === 'nothing' && current === undefined) return steps()
  if (current !== undefined && !want.observes && ownTarget(current, memory.status) === undefined)
    return left(seen, 'refer to what has that id')
  if (target.is === 'waiting') return waitFor(target.message)
  if (target.is === 'ready' && target.kind === 'CloudLoadBalancer' && !want.assignsLoadBalancers) {
    const message =
      'spec.loadBalancerRef: this service does not assign addresses to load balancers: assign it in the console, or refer to a CloudVM with spec.vmRef'
    return { steps: [], pending: { reason: 'Unsupported', message } }
  }
  const list: FloatingIpStep[] = current === undefined ? [] : [{ do: 'unassign', from: current }]
  if (target.is === 'ready')
    list.push({ do: 'assign', target: { kind: target.kind, name: target.name, id: target.id } })
  return { steps: list }
}

function planUpdate(want: WantedFloatingIp, seen: SeenFloatingIp): FloatingIpStep[] {
  const { name, billingAccount } = want
  const renamed = name !== undefined && seen.label !== undefined && seen.label !== name
  const recharged =
    billingAccount !== undefined &&
    seen.billingAccount !== undefined &&
    seen.billingAccount !== billingAccount
  if (!renamed && !recharged) return []
  return [{ do: 'update', ...(renamed && { name }), ...(recharged && { billingAccount }) }]
}

/** Something else relies on an address that a stranger holds: it is neither moved nor given back. */
function left(seen: SeenFloatingIp, otherwise: string): Plan<FloatingIpStep> {
  const holder = `${seen.assigned?.type ?? 'something'} ${seen.assigned?.to ?? ''}`
  const message = `the address is assigned to ${holder}, which this object did not assign it to, so it is left there: unassign it in the console, or ${otherwise}`
  return blocked('AdoptionConflict', message)
}

function waitFor(message: string): Plan<FloatingIpStep> {
  return { steps: [], wait: { reason: 'WaitingForDependency', message } }
}

export function planFloatingIpGone(
  seen: SeenFloatingIp,
  memory: Memory<FloatingIpStatus>,
): Plan<FloatingIpStep> {
  const current = seen.assigned?.to
  if (current === undefined) return steps({ do: 'delete' })
  if (ownTarget(current, memory.status) === undefined)
    return left(seen, 'set spec.lifecycle.onDelete: Retain')
  return steps({ do: 'unassign', from: current }, { do: 'delete' })
}

/** What we assigned the address to, when `current` is just that: by the status or by the open operation. */
export function ownTarget(
  current: string,
  status: FloatingIpStatus | undefined,
): { readonly kind: string; readonly name: string } | undefined {
  const told = status?.assignedTo
  if (told?.id === current && told.name !== undefined) return { kind: told.kind, name: told.name }
  const details = status?.operation?.verb === 'assign' ? status.operation.details : undefined
  const { to, kind, name } = details ?? {}
  return to === current && kind !== undefined && name !== undefined ? { kind, name } : undefined
}

/** Whether an open move shows its effect: the address is off the old target, or on the new one. */
export function floatingIpEffect(operation: Operation, seen: SeenFloatingIp): boolean {
  switch (operation.verb) {
    case 'unassign':
      return seen.assigned?.to !== operation.details?.['from']
    case 'assign':
      return seen.assigned?.to === operation.details?.['to']
    default:
      return true
  }
}

/** Status fields from an observation. A target is named only while it is ours. */
export function reportFloatingIp(
  seen: SeenFloatingIp,
  memory: Memory<FloatingIpStatus>,
  want: WantedFloatingIp | undefined,
): Patch<FloatingIpStatus> {
  const current = seen.assigned?.to
  const fields: Patch<FloatingIpStatus> = {
    address: seen.address,
    ...(seen.enabled !== undefined && { enabled: seen.enabled }),
  }
  if (current === undefined) return { ...fields, assignedTo: undefined, privateAddress: undefined }
  const target = want?.target.is === 'ready' && want.target.id === current ? want.target : undefined
  const own = target ?? ownTarget(current, memory.status)
  const kind = own?.kind ?? seen.assigned?.type ?? 'unknown'
  const privateAddress = seen.assigned?.privateAddress
  const moved = memory.status?.assignedTo?.id !== current
  return {
    ...fields,
    assignedTo: { kind, id: current, ...(own !== undefined && { name: own.name }) },
    ...((moved || privateAddress !== undefined) && { privateAddress }),
  }
}

/** A reference leads to what our own object made: a spec has no part in its being unknown. */
export function floatingIpRefusedWait(step: FloatingIpStep, text: string): Wait | undefined {
  if (step.do !== 'assign' || !/\bno such\b|\bnot (?:found|exist)\b/i.test(text)) return undefined
  const { kind, name } = step.target
  const message = `the service does not know ${kind} ${name} any more: "${text}"; it is looked at again by itself`
  return { reason: 'WaitingForDependency', message }
}

export function floatingIpFacts(step: FloatingIpStep): StepFacts {
  switch (step.do) {
    case 'create':
      return { nature: 'create', words: `create the floating IP ${step.name}` }
    case 'update': {
      const name = step.name === undefined ? [] : [`rename the floating IP to ${step.name}`]
      const charge =
        step.billingAccount === undefined ? [] : [`charge it to billing account ${step.billingAccount}`]
      return { nature: 'set', words: [...name, ...charge].join(' and ') }
    }
    case 'unassign':
      return {
        nature: 'move',
        words: `unassign the address from ${step.from}`,
        details: { from: step.from },
      }
    case 'assign': {
      const { kind, name, id } = step.target
      return {
        nature: 'move',
        words: `assign the address to ${kind} ${name}`,
        details: { to: id, kind, name },
        locks: [id],
      }
    }
    case 'delete':
      return { nature: 'destroy', words: 'delete the floating IP' }
  }
}
