/** Decides what to do with a load balancer. Pure. Rules of the service are the lines below. */
import type { LoadBalancerStatus } from '../../api/loadbalancer.ts'
import type { Memory } from '../../reconcile/kind.ts'
import { blocked, steps, type Plan } from '../../reconcile/plan.ts'
import type { SeenLoadBalancer } from './seen.ts'
import {
  countOf,
  loadBalancerFacts,
  sameRule,
  type LoadBalancerStep,
  type Rule,
  type RuleStep,
} from './steps.ts'

export interface WantedTargets {
  /** Virtual machines that exist. */
  readonly ready: readonly { readonly name: string; readonly id: string }[]
  /** Those that will: they are added once they exist. */
  readonly waiting: readonly { readonly name: string; readonly message: string }[]
}

export type WantedNetwork =
  | { readonly is: 'ready'; readonly id: string }
  | { readonly is: 'waiting'; readonly message: string }
  /** The account's default network, looked up when the load balancer is made. */
  | { readonly is: 'default' }

export interface WantedLoadBalancer {
  /** With the marker as its suffix; undefined for an adopted one whose name is left alone. */
  readonly name: string | undefined
  /** Whom a new one is charged to. */
  readonly chargedTo: number
  /** Whom it stays charged to; undefined: not managed. */
  readonly billingAccount: number | undefined
  /** Only for creating. */
  readonly network: WantedNetwork
  readonly reserveAddress: boolean
  /** Undefined: not managed. */
  readonly rules: readonly Rule[] | undefined
  readonly targets: WantedTargets | undefined
  /** Known that targets can be added later: a new one need not wait for all of them. */
  readonly growsLater: boolean
}

export function planLoadBalancer(
  want: WantedLoadBalancer,
  seen: SeenLoadBalancer | undefined,
  memory: Memory<LoadBalancerStatus>,
): Plan<LoadBalancerStep> {
  if (seen === undefined) return planNew(want)
  const targets = planTargets(want.targets, seen, memory)
  const rules = planRules(want.rules, seen)
  const all = [...targets.added, ...rules, ...targets.removed, ...planSettings(want, seen)]
  if (all.length > 0 && !seen.changeable) return unsupported(all)
  const now = all.filter((step) => !isStuck(step, rules))
  if (now.length > 0) return { steps: now }
  if (all.length === 0) return waitFor((want.targets?.waiting ?? []).map(({ message }) => message))
  const message = 'waiting for the cloud to show the identity of a rule that is to be removed'
  return { steps: [], wait: { reason: 'WaitingForCloud', message } }
}

export function planNew(want: WantedLoadBalancer): Plan<LoadBalancerStep> {
  const { name, network, rules } = want
  if (name === undefined) return blocked('InvalidSpec', 'spec.name: a new load balancer needs a name')
  if (rules === undefined || rules.length === 0)
    return blocked('InvalidSpec', 'spec.rules: a new load balancer needs rules')
  const targets = want.targets ?? { ready: [], waiting: [] }
  if (network.is === 'waiting') return waitFor([network.message])
  // Without a way to add them later it would stay without them.
  if (targets.waiting.length > 0 && !want.growsLater)
    return waitFor(targets.waiting.map(({ message }) => message))
  return steps({
    do: 'create',
    name,
    billingAccount: want.chargedTo,
    networkID: network.is === 'ready' ? network.id : undefined,
    reserveAddress: want.reserveAddress,
    rules,
    targetIDs: targets.ready.map(({ id }) => id),
  })
}

const SHOWN = 5

function waitFor(messages: readonly string[]): Plan<LoadBalancerStep> {
  if (messages.length === 0) return steps()
  const more = messages.length > SHOWN ? '; and others' : ''
  const message = messages.slice(0, SHOWN).join('; ') + more
  return { steps: [], wait: { reason: 'WaitingForDependency', message } }
}

/** New ones come before old ones go, so that there is always one that serves. */
function planTargets(
  wanted: WantedTargets | undefined,
  seen: SeenLoadBalancer,
  memory: Memory<LoadBalancerStatus>,
): { readonly added: LoadBalancerStep[]; readonly removed: LoadBalancerStep[] } {
  if (wanted === undefined || seen.targets === undefined) return { added: [], removed: [] }
  const listed = seen.targets.map(({ uuid }) => uuid)
  const added = wanted.ready
    .filter(({ id }) => !listed.includes(id))
    .map(({ id, name }): LoadBalancerStep => ({ do: 'addTarget', id, name }))
  const extra = [...new Set(listed)].filter((id) => !wanted.ready.some((each) => each.id === id))
  const removed = extra
    .filter((id) => !mayBeWaiting(id, wanted, memory))
    .map((id): LoadBalancerStep => ({ do: 'removeTarget', id, count: countOf(listed, id) }))
  return { added, removed }
}

/** A target may be one whose object has lost its status: known under the name of one that is waited for, or under none. */
function mayBeWaiting(id: string, wanted: WantedTargets, memory: Memory<LoadBalancerStatus>): boolean {
  const name = memory.status?.targets?.find((each) => each.id === id)?.name
  return wanted.waiting.some((each) => name === undefined || each.name === name)
}

/** A source port has one rule: for another target port the old rule is removed, then the new one added. */
function planRules(wanted: readonly Rule[] | undefined, seen: SeenLoadBalancer): readonly RuleStep[] {
  if (wanted === undefined || seen.rules === undefined) return []
  const { rules } = seen
  const kept = wanted.map((want) => rules.find((rule) => sameRule(rule, want)))
  const removed = rules
    .filter((rule) => !kept.includes(rule))
    .map(({ uuid, sourcePort }): RuleStep => ({ do: 'removeRule', id: uuid, sourcePort }))
  const added = wanted
    .filter((_rule, index) => kept[index] === undefined)
    .map(({ sourcePort, targetPort }): RuleStep => ({ do: 'addRule', sourcePort, targetPort }))
  // By port, a removal first, so that a port is without a rule as shortly as can be.
  return [...removed, ...added].sort((a, b) => a.sourcePort - b.sourcePort)
}

function isStuck(step: LoadBalancerStep, rules: readonly RuleStep[]): boolean {
  if (step.do !== 'addRule' && step.do !== 'removeRule') return false
  const { sourcePort } = step
  return rules.some(
    (each) => each.sourcePort === sourcePort && each.do === 'removeRule' && each.id === undefined,
  )
}

function planSettings(want: WantedLoadBalancer, seen: SeenLoadBalancer): LoadBalancerStep[] {
  const { name, billingAccount } = want
  const list: LoadBalancerStep[] = []
  const shown = seen.label !== undefined || seen.showsLabel === true
  if (name !== undefined && shown && seen.label !== name) list.push({ do: 'rename', name })
  if (
    billingAccount !== undefined &&
    seen.billingAccount !== undefined &&
    seen.billingAccount !== billingAccount
  )
    list.push({ do: 'setBillingAccount', billingAccount })
  return list
}

function unsupported(list: readonly LoadBalancerStep[]): Plan<LoadBalancerStep> {
  const words = list.map((step) => loadBalancerFacts(step).words).join('; ')
  const message = `this service has no way to change a load balancer, or the account forbids to try: ${words}; do it in the console, or take the change back`
  return { steps: [], pending: { reason: 'Unsupported', message } }
}

export function planLoadBalancerGone(seen: SeenLoadBalancer): Plan<LoadBalancerStep> {
  if (seen.changeable) return steps({ do: 'delete' })
  const message =
    'this service has no way to delete a load balancer, or the account forbids to try: delete it in the console, or set spec.lifecycle.onDelete: Retain'
  return { steps: [], pending: { reason: 'Unsupported', message } }
}
