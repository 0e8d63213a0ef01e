/** The steps a load balancer can take, the facts of each, and how their effect shows. Pure. */
import type { Operation } from '../../api/shared.ts'
import type { StepFacts } from '../../reconcile/plan.ts'
import type { SeenLoadBalancer } from './seen.ts'

export interface Rule {
  readonly sourcePort: number
  readonly targetPort: number
}

export interface CreateStep {
  readonly do: 'create'
  readonly name: string
  readonly billingAccount: number
  /** Undefined: the default network. */
  readonly networkID: string | undefined
  readonly reserveAddress: boolean
  readonly rules: readonly Rule[]
  readonly targetIDs: readonly string[]
}

export type LoadBalancerStep =
  | CreateStep
  | { readonly do: 'rename'; readonly name: string }
  | { readonly do: 'setBillingAccount'; readonly billingAccount: number }
  | { readonly do: 'addTarget'; readonly id: string; readonly name: string }
  /** `count`: how often it is listed; one removal may take one of them only. */
  | { readonly do: 'removeTarget'; readonly id: string; readonly count: number }
  | ({ readonly do: 'addRule' } & Rule)
  /** Without an id, which the service has not shown yet, it is listed but never performed. */
  | { readonly do: 'removeRule'; readonly id: string | undefined; readonly sourcePort: number }
  | { readonly do: 'delete' }
  | { readonly do: 'unassignAddress'; readonly address: string; readonly id: string }
  | { readonly do: 'deleteAddress'; readonly address: string; readonly id: string }

export type RuleStep = Extract<LoadBalancerStep, { readonly sourcePort: number }>

export function sameRule(a: Rule, b: Rule): boolean {
  return a.sourcePort === b.sourcePort && a.targetPort === b.targetPort
}

export function countOf(list: readonly string[], id: string): number {
  return list.filter((each) => each === id).length
}

/** Whether the effect of an open operation is visible. */
export function loadBalancerEffect({ verb, details = {} }: Operation, seen: SeenLoadBalancer): boolean {
  const { targets, rules } = seen
  const listed = countOf(
    (targets ?? []).map(({ uuid }) => uuid),
    details['target'] ?? '',
  )
  switch (verb) {
    case 'addTarget':
      return listed > 0
    case 'removeTarget':
      return targets !== undefined && listed < Number(details['count'])
    case 'addRule': {
      const rule = { sourcePort: Number(details['sourcePort']), targetPort: Number(details['targetPort']) }
      return rules?.some((each) => sameRule(each, rule)) ?? false
    }
    case 'removeRule':
      return rules !== undefined && !rules.some(({ uuid }) => uuid === details['rule'])
    default:
      return true
  }
}

/** `id`: of the load balancer, which an address may be assigned to at the same time. */
export function loadBalancerFacts(step: LoadBalancerStep, id?: string): StepFacts {
  const facts = factsOf(step)
  return id === undefined ? facts : { ...facts, locks: [...(facts.locks ?? []), id] }
}

function factsOf(step: LoadBalancerStep): StepFacts {
  switch (step.do) {
    case 'create':
      return {
        nature: 'create',
        words: `create the load balancer ${step.name}`,
        locks: step.targetIDs,
        details: sentDetails(step),
      }
    case 'rename':
      return { nature: 'set', words: `rename the load balancer to ${step.name}` }
    case 'setBillingAccount':
      return { nature: 'set', words: `charge the load balancer to billing account ${step.billingAccount}` }
    case 'addTarget':
      return {
        nature: 'move',
        words: `add CloudVM ${step.name} as a target`,
        locks: [step.id],
        details: { target: step.id },
      }
    case 'removeTarget':
      return {
        nature: 'move',
        words: `remove virtual machine ${step.id} from the targets`,
        locks: [step.id],
        details: { target: step.id, count: String(step.count) },
      }
    case 'addRule': {
      const { sourcePort, targetPort } = step
      return {
        nature: 'move',
        words: `forward port ${sourcePort} to port ${targetPort}`,
        details: { sourcePort: String(sourcePort), targetPort: String(targetPort) },
      }
    }
    case 'removeRule':
      return {
        nature: 'move',
        words: `remove the rule of port ${step.sourcePort}`,
        details: { rule: step.id ?? '', sourcePort: String(step.sourcePort) },
      }
    case 'delete':
      return { nature: 'destroy', words: 'delete the load balancer' }
    case 'unassignAddress':
      return {
        nature: 'move',
        words: `unassign the reserved address ${step.address}`,
        removes: { kind: 'CloudFloatingIP', id: step.id },
      }
    case 'deleteAddress':
      return {
        nature: 'destroy',
        words: `delete the reserved address ${step.address}`,
        removes: { kind: 'CloudFloatingIP', id: step.id },
      }
  }
}

/** Characters that a detail of an operation can have; what does not fit is left out, and so not compared later. */
const DETAIL_MAX = 512

export function sentDetails(step: CreateStep): Readonly<Record<string, string>> {
  const rules = rulesText(step.rules)
  const targets = step.targetIDs.join(' ')
  return {
    name: step.name,
    billingAccount: String(step.billingAccount),
    ...(step.networkID !== undefined && { network: step.networkID }),
    ...(rules.length <= DETAIL_MAX && { rules }),
    ...(targets.length <= DETAIL_MAX && { targets }),
  }
}

export function rulesText(rules: readonly Rule[]): string {
  return rules
    .map(({ sourcePort, targetPort }) => `${sourcePort}:${targetPort}`)
    .sort()
    .join(' ')
}
