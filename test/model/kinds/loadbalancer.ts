/** Load balancers: rules and targets added and removed one by one, where the service has a way to; else only made. */
import type { CloudLoadBalancer, LoadBalancerStatus } from '../../../src/api/loadbalancer.ts'
import type { Operation } from '../../../src/api/shared.ts'
import { loadBalancerKind } from '../../../src/kinds/loadbalancer/kind.ts'
import type { WantedLoadBalancer } from '../../../src/kinds/loadbalancer/plan.ts'
import type { LoadBalancerStep, Rule as Forwarding } from '../../../src/kinds/loadbalancer/steps.ts'
import type { SeenLoadBalancer } from '../../../src/kinds/loadbalancer/seen.ts'
import type { Model, Rule, Served, State } from '../model.ts'

export interface ThereRule extends Forwarding {
  readonly uuid: string
}

export interface LoadBalancer {
  /** The service has operations beyond list and create. */
  readonly extended: boolean
  /** Empty: it has none. */
  readonly name: string
  readonly billingAccount: number
  readonly rules: readonly ThereRule[]
  /** As listed: one can stand there twice. */
  readonly targets: readonly string[]
  readonly hides: {
    readonly name?: true
    readonly billingAccount?: true
    readonly rules?: true
    readonly targets?: true
    readonly ruleIDs?: boolean
  }
  /** Ids of rules are shown after some time. */
  readonly idsLate?: boolean
  /** A removal takes one of two equal targets. */
  readonly one?: true
  readonly slow?: true
  readonly deaf?: true
  readonly moving?: { readonly rules: readonly ThereRule[]; readonly targets: readonly string[] }
}

export interface LoadBalancerWords {
  object: CloudLoadBalancer
  want: WantedLoadBalancer
  cloud: LoadBalancer
  seen: SeenLoadBalancer
  step: LoadBalancerStep
  status: LoadBalancerStatus
}

function look(cloud: LoadBalancer): SeenLoadBalancer {
  const { extended, name, billingAccount, rules, targets, hides } = cloud
  return {
    id: 'lb',
    changeable: extended,
    ...(hides.name === true ? !extended && { showsLabel: false } : { showsLabel: true }),
    ...(hides.name !== true && name !== '' && { label: name }),
    ...(hides.billingAccount !== true && { billingAccount }),
    ...(hides.rules !== true && { rules: hides.ruleIDs === true ? rules.map(portsOf) : rules }),
    ...(hides.targets !== true && { targets: targets.map((uuid) => ({ uuid })) }),
  }
}

function portsOf({ sourcePort, targetPort }: Forwarding): Forwarding {
  return { sourcePort, targetPort }
}

function serve({ cloud, want }: State<LoadBalancerWords>, step: LoadBalancerStep): Served<LoadBalancerWords> {
  if (step.do === 'create') return { is: 'done', cloud: created(step, want.growsLater) }
  if (cloud === undefined) throw new Error('there is no load balancer')
  const { rules, targets } = cloud
  switch (step.do) {
    case 'rename':
      return { is: 'done', cloud: cloud.deaf === true ? cloud : { ...cloud, name: step.name } }
    case 'setBillingAccount':
      return {
        is: 'done',
        cloud: cloud.deaf === true ? cloud : { ...cloud, billingAccount: step.billingAccount },
      }
    case 'addTarget':
      return moved(cloud, rules, [...targets, step.id])
    case 'removeTarget':
      return moved(cloud, rules, removed(cloud, step.id))
    case 'addRule':
      return moved(cloud, [...rules, { ...portsOf(step), uuid: `new-${step.sourcePort}` }], targets)
    case 'removeRule':
      return moved(
        cloud,
        rules.filter(({ uuid }) => uuid !== step.id),
        targets,
      )
    case 'delete':
      return { is: 'done', cloud: undefined }
    case 'unassignAddress':
    case 'deleteAddress':
      throw new Error('what is left behind is not part of a plan')
  }
}

function created(step: Extract<LoadBalancerStep, { do: 'create' }>, extended: boolean): LoadBalancer {
  const rules = step.rules.map((rule) => ({ ...rule, uuid: `new-${rule.sourcePort}` }))
  const { name, billingAccount, targetIDs: targets } = step
  return { extended, name, billingAccount, rules, targets, hides: {} }
}

function removed({ targets, one }: LoadBalancer, id: string): readonly string[] {
  const at = targets.indexOf(id)
  return targets.filter((each, index) => (one === true ? index !== at : each !== id))
}

function moved(
  cloud: LoadBalancer,
  rules: readonly ThereRule[],
  targets: readonly string[],
): Served<LoadBalancerWords> {
  return cloud.slow === true
    ? { is: 'done', cloud: { ...cloud, moving: { rules, targets } }, later: true }
    : { is: 'done', cloud: { ...cloud, rules, targets } }
}

function elapse(cloud: LoadBalancer): LoadBalancer {
  if (cloud.idsLate === true) return { ...cloud, idsLate: false, hides: { ...cloud.hides, ruleIDs: false } }
  if (cloud.moving === undefined) return cloud
  const { moving, ...rest } = cloud
  return { ...rest, ...moving }
}

function stepOf({ verb, details = {} }: Operation): LoadBalancerStep | undefined {
  const id = details['target'] ?? ''
  switch (verb) {
    case 'addTarget':
      return { do: 'addTarget', id, name: id }
    case 'removeTarget':
      return { do: 'removeTarget', id, count: Number(details['count']) }
    case 'addRule': {
      const { sourcePort, targetPort } = details
      return { do: 'addRule', sourcePort: Number(sourcePort), targetPort: Number(targetPort) }
    }
    case 'removeRule':
      return { do: 'removeRule', id: details['rule'], sourcePort: Number(details['sourcePort']) }
    default:
      return undefined
  }
}

/** As often as a rule is there beyond the one that the spec asks for. */
function isSpare({ rules }: LoadBalancer, want: WantedLoadBalancer, id: string | undefined): boolean {
  const rule = rules.find(({ uuid }) => uuid === id)
  if (rule === undefined || want.rules === undefined) return false
  const same = (other: Forwarding) =>
    other.sourcePort === rule.sourcePort && other.targetPort === rule.targetPort
  return !want.rules.some(same) || rules.filter(same).length > 1
}

const rules: readonly Rule<LoadBalancerWords>[] = [
  {
    says: 'of a service that only lists and creates nothing else is asked',
    kept: ({ cloud }, step) => step.do === 'create' || cloud?.extended === true,
  },
  {
    says: 'a load balancer is made only where there is none, with a name and rules',
    of: ['create'],
    kept: ({ cloud }, step) =>
      cloud === undefined && step.do === 'create' && step.name !== '' && step.rules.length > 0,
  },
  {
    says: 'a load balancer that cannot be changed later is made only once all of its targets are there',
    of: ['create'],
    kept: ({ want }) => want.growsLater || (want.targets?.waiting.length ?? 0) === 0,
  },
  {
    says: 'a load balancer is made only once its network is there',
    of: ['create'],
    kept: ({ want }) => want.network.is !== 'waiting',
  },
  {
    says: 'a target is added only where it is wished and the list shows that it is missing',
    of: ['addTarget'],
    kept: ({ cloud, want }, step) =>
      step.do === 'addTarget' &&
      cloud?.hides.targets === undefined &&
      cloud?.targets.includes(step.id) === false &&
      want.targets?.ready.some(({ id }) => id === step.id) === true,
  },
  {
    says: 'a target is removed only where it is shown and not wished',
    of: ['removeTarget'],
    kept: ({ cloud, want }, step) =>
      step.do === 'removeTarget' &&
      cloud?.hides.targets === undefined &&
      cloud?.targets.includes(step.id) === true &&
      want.targets?.ready.some(({ id }) => id === step.id) === false,
  },
  {
    says: 'old targets go only after all new ones are there',
    of: ['removeTarget'],
    kept: ({ cloud, want }) => want.targets?.ready.every(({ id }) => cloud?.targets.includes(id)) === true,
  },
  {
    says: 'a target that may be one whose object is waited for stays',
    of: ['removeTarget'],
    kept: ({ status, want }, step) => {
      if (step.do !== 'removeTarget') return false
      const name = status.targets?.find(({ id }) => id === step.id)?.name
      return want.targets?.waiting.some((each) => name === undefined || each.name === name) === false
    },
  },
  {
    says: 'a rule is added only where it is wished and its port is free',
    of: ['addRule'],
    kept: ({ cloud, want }, step) =>
      step.do === 'addRule' &&
      cloud?.hides.rules === undefined &&
      cloud?.rules.some(({ sourcePort }) => sourcePort === step.sourcePort) === false &&
      want.rules?.some(({ sourcePort, targetPort }) => {
        return sourcePort === step.sourcePort && targetPort === step.targetPort
      }) === true,
  },
  {
    says: 'a rule is removed only by an id that is shown, and where it is not wished or there twice',
    of: ['removeRule'],
    kept: ({ cloud, want }, step) =>
      step.do === 'removeRule' &&
      cloud?.hides.ruleIDs !== true &&
      cloud !== undefined &&
      isSpare(cloud, want, step.id),
  },
  {
    says: 'a load balancer is renamed or charged elsewhere only where something else is shown',
    of: ['rename', 'setBillingAccount'],
    kept: ({ cloud }, step) =>
      cloud !== undefined &&
      (step.do === 'rename'
        ? cloud.hides.name === undefined && cloud.name !== step.name
        : step.do === 'setBillingAccount' &&
          cloud.hides.billingAccount === undefined &&
          cloud.billingAccount !== step.billingAccount),
  },
]

export const loadBalancerService: Omit<Model<LoadBalancerWords>, 'ends' | 'states'> = {
  kind: 'CloudLoadBalancer',
  planner: loadBalancerKind,
  object: () => ({ spec: {} }) as CloudLoadBalancer,
  look,
  serve,
  elapse,
  made: (want) => want,
  stepOf,
  names: (step) => {
    if (step.do === 'create') return step.targetIDs
    return step.do === 'addTarget' || step.do === 'removeTarget' ? [step.id] : []
  },
  rules,
  most: 14,
}
