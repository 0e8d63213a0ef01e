/** Floating IPs: named, charged, and assigned to one thing at a time, never taken from a stranger. */
import type { CloudFloatingIP, FloatingIpStatus } from '../../../src/api/floatingip.ts'
import type { Operation } from '../../../src/api/shared.ts'
import { floatingIpKind } from '../../../src/kinds/floatingip/kind.ts'
import type {
  FloatingIpStep,
  TargetKind,
  WantedFloatingIp,
  WantedTarget,
} from '../../../src/kinds/floatingip/plan.ts'
import type { SeenFloatingIp } from '../../../src/kinds/floatingip/seen.ts'
import type { Model, Rule, Served, State } from '../model.ts'
import { FIELD, isEqual, isHidden, product } from '../product.ts'

export interface FloatingIp {
  readonly name: string
  readonly billingAccount: number
  readonly enabled: boolean
  readonly assignedTo: string | undefined
  readonly hides: {
    readonly name?: true
    readonly billingAccount?: true
    readonly enabled?: true
    /** What kind of thing it is assigned to. */
    readonly type?: true
  }
  readonly deaf?: true
  /** Moves take their time: the next read shows the old state still. */
  readonly slow?: true
  /** Where it will be. */
  readonly moving?: { readonly to: string | undefined }
}

export interface FloatingIpWords {
  object: CloudFloatingIP
  want: WantedFloatingIp
  cloud: FloatingIp
  seen: SeenFloatingIp
  step: FloatingIpStep
  status: FloatingIpStatus
}

const NAME = 'ip-marker'
export const TARGET = 'target'
const OLD = 'old'
const STRANGER = 'stranger'

function look({ name, billingAccount, enabled, assignedTo, hides }: FloatingIp): SeenFloatingIp {
  return {
    id: '1',
    address: '203.0.113.1',
    assigned:
      assignedTo === undefined
        ? undefined
        : { to: assignedTo, ...(hides.type !== true && { type: 'virtual_machine' }) },
    ...(hides.name !== true && { label: name }),
    ...(hides.billingAccount !== true && { billingAccount }),
    ...(hides.enabled !== true && { enabled }),
  }
}

function serve({ cloud }: State<FloatingIpWords>, step: FloatingIpStep): Served<FloatingIpWords> {
  if (step.do === 'create') {
    const { name, billingAccount } = step
    return {
      is: 'done',
      cloud: { name, billingAccount, enabled: true, assignedTo: undefined, hides: {} },
    }
  }
  if (cloud === undefined) throw new Error('there is no floating IP')
  switch (step.do) {
    case 'update': {
      if (cloud.deaf === true) return { is: 'done', cloud }
      const { name = cloud.name, billingAccount = cloud.billingAccount } = step
      return { is: 'done', cloud: { ...cloud, name, billingAccount } }
    }
    case 'unassign':
      return moved(cloud, undefined)
    case 'assign':
      return moved(cloud, step.target.id)
    case 'delete':
      return { is: 'done', cloud: undefined }
  }
}

function moved(cloud: FloatingIp, to: string | undefined): Served<FloatingIpWords> {
  return cloud.slow === true
    ? { is: 'done', cloud: { ...cloud, moving: { to } }, later: true }
    : { is: 'done', cloud: { ...cloud, assignedTo: to } }
}

function elapse(cloud: FloatingIp): FloatingIp {
  if (cloud.moving === undefined) return cloud
  const { moving, ...rest } = cloud
  return { ...rest, assignedTo: moving.to }
}

const TARGETS: readonly WantedTarget[] = [
  { is: 'unmanaged' },
  { is: 'nothing' },
  { is: 'waiting', message: 'CloudVM web does not exist yet' },
  { is: 'ready', kind: 'CloudVM', name: 'web', id: TARGET },
  { is: 'ready', kind: 'CloudLoadBalancer', name: 'front', id: TARGET },
]

/** Whom the status says it is assigned to, and an open call. */
const RECORDS = [
  'nothing',
  'as it is',
  'as it is, by id alone',
  'something else',
  'assigning it where it is',
  'assigning late',
  'assigning lost',
  'assigning overdue',
  'unassigning late',
  'unassigning lost',
  'unassigning overdue',
] as const

function open(verb: 'assign' | 'unassign', details: Record<string, string>): Operation {
  return { id: 'operation', verb, issuedAt: '2026-01-01T00:00:00Z', details }
}

const ASSIGNING = open('assign', { to: TARGET, kind: 'CloudVM', name: 'web' })

function remembered(
  record: (typeof RECORDS)[number],
  assignedTo: string | undefined,
): Pick<State<FloatingIpWords>, 'status' | 'fate'> | undefined {
  const known = { kind: 'CloudVM', name: 'web' }
  const fate = record.endsWith('late') ? 'arrives' : record.endsWith('lost') ? 'lost' : 'overdue'
  switch (record) {
    case 'nothing':
      return { status: {} }
    case 'as it is':
      return assignedTo === undefined ? undefined : { status: { assignedTo: { ...known, id: assignedTo } } }
    case 'as it is, by id alone':
      return assignedTo === undefined
        ? undefined
        : { status: { assignedTo: { kind: 'virtual_machine', id: assignedTo } } }
    case 'something else':
      return { status: { assignedTo: { ...known, id: 'elsewhere' } } }
    case 'assigning it where it is':
      return assignedTo === TARGET ? { status: { operation: ASSIGNING }, fate: 'arrives' } : undefined
    case 'assigning late':
    case 'assigning lost':
    case 'assigning overdue':
      return assignedTo === undefined ? { status: { operation: ASSIGNING }, fate } : undefined
    case 'unassigning late':
    case 'unassigning lost':
    case 'unassigning overdue': {
      if (assignedTo === undefined) return undefined
      const operation = open('unassign', { from: assignedTo })
      return { status: { assignedTo: { ...known, id: assignedTo }, operation }, fate }
    }
  }
}

function* states(): Generator<State<FloatingIpWords>> {
  const wishes = { target: TARGETS, assignsLoadBalancers: [true, false] } as const
  for (const each of product({ ...wishes, name: [undefined, NAME], billing: [undefined, 1] } as const)) {
    const want = { ...each, chargedTo: 1, billingAccount: each.billing, observes: false }
    yield { want, cloud: undefined, status: {} }
  }
  const axes = {
    ...wishes,
    name: FIELD,
    account: ['unmanaged', 'equal', 'differs', 'hiddenDiffers'],
    assignedTo: [undefined, TARGET, OLD, STRANGER],
    record: RECORDS,
    power: ['enabled', 'disabled', 'hidden'],
    service: ['quick', 'slow', 'deaf', 'without types'],
    observes: [false, true],
  } as const
  for (const each of product(axes)) {
    if ((each.observes || each.power === 'hidden') && each.service !== 'quick') continue
    const memory = remembered(each.record, each.assignedTo)
    if (memory === undefined) continue
    yield {
      want: {
        name: each.name === 'unmanaged' ? undefined : NAME,
        chargedTo: 1,
        billingAccount: each.account === 'unmanaged' ? undefined : 1,
        target: each.target,
        assignsLoadBalancers: each.assignsLoadBalancers,
        observes: each.observes,
      },
      cloud: {
        name: isEqual(each.name) ? NAME : 'other',
        billingAccount: each.account === 'equal' ? 1 : 2,
        enabled: each.power === 'enabled',
        assignedTo: each.assignedTo,
        hides: {
          ...(isHidden(each.name) && { name: true }),
          ...(each.account === 'hiddenDiffers' && { billingAccount: true }),
          ...(each.power === 'hidden' && { enabled: true }),
          ...(each.service === 'without types' && { type: true }),
        },
        ...(each.service === 'slow' && { slow: true }),
        ...(each.service === 'deaf' && { deaf: true }),
      },
      ...memory,
      observes: each.observes,
    }
  }
}

/** On record as assigned there by us. */
export function isOurs({ status }: State<FloatingIpWords>, id: string | undefined): boolean {
  const told = status.assignedTo
  if (told?.id === id && told?.name !== undefined) return true
  return status.operation?.verb === 'assign' && status.operation.details?.['to'] === id
}

const rules: readonly Rule<FloatingIpWords>[] = [
  {
    says: 'an address is made only where there is none, and with a name',
    of: ['create'],
    kept: ({ cloud }, step) => cloud === undefined && step.do === 'create' && step.name !== '',
  },
  {
    says: 'an address is assigned only while it is assigned to nothing',
    of: ['assign'],
    kept: ({ cloud }) => cloud?.assignedTo === undefined && cloud?.moving === undefined,
  },
  {
    says: 'an address is assigned only to what the spec says',
    of: ['assign'],
    kept: ({ want }, step) =>
      step.do === 'assign' && want.target.is === 'ready' && want.target.id === step.target.id,
  },
  {
    says: 'an address is assigned to a load balancer only where the service does that',
    of: ['assign'],
    kept: ({ want }, step) =>
      step.do === 'assign' && (step.target.kind === 'CloudVM' || want.assignsLoadBalancers),
  },
  {
    says: 'an address is unassigned only from what it is assigned to',
    of: ['unassign'],
    kept: ({ cloud }, step) => step.do === 'unassign' && cloud?.assignedTo === step.from,
  },
  {
    says: 'an address is taken only from what we assigned it to',
    of: ['unassign'],
    kept: (state, step) => step.do === 'unassign' && isOurs(state, step.from),
  },
  {
    says: 'an address is renamed or charged elsewhere only where another name or account is shown',
    of: ['update'],
    kept: ({ cloud }, step) =>
      cloud !== undefined &&
      step.do === 'update' &&
      (step.name === undefined || (cloud.hides.name === undefined && cloud.name !== step.name)) &&
      (step.billingAccount === undefined ||
        (cloud.hides.billingAccount === undefined && cloud.billingAccount !== step.billingAccount)),
  },
  {
    says: 'an address is deleted only while it is assigned to nothing',
    of: ['delete'],
    kept: ({ cloud }) => cloud !== undefined && cloud.assignedTo === undefined,
  },
]

export const floatingIpModel: Omit<Model<FloatingIpWords>, 'ends'> = {
  kind: 'CloudFloatingIP',
  planner: floatingIpKind,
  states,
  object: () => ({ spec: {} }) as CloudFloatingIP,
  look,
  serve,
  elapse,
  made: (want) => want,
  stepOf: ({ verb, details }) => {
    if (verb === 'unassign') return { do: 'unassign', from: details?.['from'] ?? '' }
    const { to = '', kind = '', name = '' } = details ?? {}
    return { do: 'assign', target: { id: to, kind: kind as TargetKind, name } }
  },
  // Unassigning names the address alone.
  names: (step) => (step.do === 'assign' && step.target.kind === 'CloudVM' ? [step.target.id] : []),
  rules,
  most: 6,
}
