/** What load balancers are walked from: their rules with all else alike, then their targets, then none at all. */
import type { Operation } from '../../../src/api/shared.ts'
import type { WantedLoadBalancer, WantedTargets } from '../../../src/kinds/loadbalancer/plan.ts'
import type { Rule as Forwarding } from '../../../src/kinds/loadbalancer/steps.ts'
import type { Fate, Model, State } from '../model.ts'
import { product } from '../product.ts'
import {
  loadBalancerService,
  type LoadBalancer,
  type LoadBalancerWords,
  type ThereRule,
} from './loadbalancer.ts'

const NAME = 'lb-marker'
const WEB: Forwarding = { sourcePort: 80, targetPort: 8080 }
const TLS: Forwarding = { sourcePort: 443, targetPort: 8443 }

const WISHED_RULES: readonly (readonly Forwarding[] | undefined)[] = [undefined, [WEB], [WEB, TLS], [TLS]]

const web: ThereRule = { ...WEB, uuid: 'web' }
const webAgain: ThereRule = { ...WEB, uuid: 'web-2' }
const webElsewhere: ThereRule = { sourcePort: 80, targetPort: 9090, uuid: 'web-9090' }
const tls: ThereRule = { ...TLS, uuid: 'tls' }
const ssh: ThereRule = { sourcePort: 22, targetPort: 22, uuid: 'ssh' }

const RULES_THERE: readonly (readonly ThereRule[])[] = [
  [],
  [web],
  [web, tls],
  [webElsewhere],
  [tls, webElsewhere],
  [web, webAgain],
  [ssh, web, tls],
  [ssh, webElsewhere, webAgain],
  [tls],
]

const A = { name: 'a', id: 'vm-a' }
const B = { name: 'b', id: 'vm-b' }
const waitsForB = { name: 'b', message: 'CloudVM b does not exist yet' }

const WISHED_TARGETS: readonly (WantedTargets | undefined)[] = [
  undefined,
  { ready: [], waiting: [] },
  { ready: [A], waiting: [] },
  { ready: [A, B], waiting: [] },
  { ready: [A], waiting: [waitsForB] },
  { ready: [], waiting: [waitsForB] },
]

const TARGETS_THERE: readonly (readonly string[])[] = [
  [],
  ['vm-a'],
  ['vm-a', 'vm-b'],
  ['vm-x'],
  ['vm-a', 'vm-x'],
  ['vm-x', 'vm-x'],
  ['vm-a', 'vm-a'],
  ['vm-x', 'vm-y', 'vm-b'],
]

const base: WantedLoadBalancer = {
  name: NAME,
  chargedTo: 1,
  billingAccount: undefined,
  network: { is: 'ready', id: 'net' },
  reserveAddress: false,
  rules: [WEB],
  targets: undefined,
  growsLater: true,
}

const there: LoadBalancer = {
  extended: true,
  name: NAME,
  billingAccount: 1,
  rules: [web],
  targets: [],
  hides: {},
}

function* newStates(): Generator<State<LoadBalancerWords>> {
  const axes = {
    name: [undefined, NAME],
    rules: [...WISHED_RULES, []],
    targets: WISHED_TARGETS,
    growsLater: [false, true],
    network: [
      { is: 'ready', id: 'net' },
      { is: 'default' },
      { is: 'waiting', message: 'CloudNetwork net does not exist yet' },
    ],
  } as const
  for (const each of product(axes)) yield { want: { ...base, ...each }, cloud: undefined, status: {} }
}

function* byRules(): Generator<State<LoadBalancerWords>> {
  const axes = {
    wished: WISHED_RULES,
    rules: RULES_THERE,
    shown: ['all', 'ids late', 'no ids', 'no rules'],
    name: ['unmanaged', 'equal', 'differs', 'none', 'hidden'],
    account: ['unmanaged', 'equal', 'differs', 'hidden'],
    targets: [WISHED_TARGETS[0], WISHED_TARGETS[2]],
    service: ['quick', 'slow', 'deaf', 'documented'],
  } as const
  for (const each of product(axes)) {
    yield {
      want: {
        ...base,
        name: each.name === 'unmanaged' ? undefined : NAME,
        billingAccount: each.account === 'unmanaged' ? undefined : 1,
        rules: each.wished,
        targets: each.targets,
      },
      cloud: {
        ...there,
        extended: each.service !== 'documented',
        name: each.name === 'equal' ? NAME : each.name === 'none' ? '' : 'other',
        billingAccount: each.account === 'equal' ? 1 : 2,
        rules: each.rules,
        hides: {
          ...(each.name === 'hidden' && { name: true }),
          ...(each.account === 'hidden' && { billingAccount: true }),
          ...(each.shown === 'no rules' && { rules: true }),
          ...(each.shown.endsWith('ids') && { ruleIDs: true }),
          ...(each.shown === 'ids late' && { ruleIDs: true }),
        },
        ...(each.shown === 'ids late' && { idsLate: true }),
        ...(each.service === 'slow' && { slow: true }),
        ...(each.service === 'deaf' && { deaf: true }),
      },
      status: {},
    }
  }
}

const OPEN = [
  ['none', {}],
  ['addTarget', { target: 'vm-a' }],
  ['removeTarget', { target: 'vm-x', count: '1' }],
  ['addRule', { sourcePort: '443', targetPort: '8443' }],
  ['removeRule', { rule: 'web-9090', sourcePort: '80' }],
] as const
const FATES = ['arrives', 'lost', 'overdue'] as const

function* byTargets(): Generator<State<LoadBalancerWords>> {
  const axes = {
    wished: WISHED_TARGETS,
    targets: TARGETS_THERE,
    hides: [false, true],
    recorded: [[], [{ id: 'vm-x', name: 'b' }], [{ id: 'vm-x', name: 'x' }]],
    rules: [RULES_THERE[1], RULES_THERE[3], RULES_THERE[6]],
    service: ['all', 'one', 'slow', 'documented'],
    open: OPEN,
    fate: FATES,
  } as const
  for (const each of product(axes)) {
    const opened = openOf(each)
    if (opened === undefined) continue
    yield {
      want: { ...base, rules: [WEB, TLS], targets: each.wished },
      cloud: {
        ...there,
        extended: each.service !== 'documented',
        rules: each.rules ?? [],
        targets: each.targets,
        hides: each.hides ? { targets: true } : {},
        ...(each.service === 'one' && { one: true }),
        ...(each.service === 'slow' && { slow: true }),
      },
      ...opened,
      status: { ...opened.status, ...(each.recorded.length > 0 && { targets: [...each.recorded] }) },
    }
  }
}

interface Point {
  readonly open: (typeof OPEN)[number]
  readonly fate: Fate
  readonly targets: readonly string[]
  readonly rules: readonly ThereRule[] | undefined
  readonly service: string
  readonly hides: boolean
}

/** An open call whose effect is not there yet; undefined: no such call could have been sent. */
function openOf(point: Point): Pick<State<LoadBalancerWords>, 'status' | 'fate'> | undefined {
  const { open, fate, targets, rules = [], service, hides } = point
  const [verb, details] = open
  if (verb === 'none') return fate === 'lost' ? { status: {} } : undefined
  if (service !== 'all' || hides) return undefined
  const operation: Operation = { id: 'operation', verb, issuedAt: '2026-01-01T00:00:00Z', details }
  const fits = {
    addTarget: !targets.includes('vm-a'),
    removeTarget: targets.filter((id) => id === 'vm-x').length === 1,
    addRule: !rules.some(({ sourcePort }) => sourcePort === 443),
    removeRule: rules.some(({ uuid }) => uuid === 'web-9090'),
  }
  return fits[verb] ? { status: { operation }, fate } : undefined
}

export const loadBalancerModel: Omit<Model<LoadBalancerWords>, 'ends'> = {
  ...loadBalancerService,
  *states() {
    yield* newStates()
    yield* byRules()
    yield* byTargets()
  },
}
