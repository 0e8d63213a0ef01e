import { expect, test } from 'vitest'
import type { FloatingIpStatus } from '../../../../src/api/floatingip.ts'
import {
  planFloatingIp,
  planFloatingIpGone,
  type FloatingIpStep,
  type WantedFloatingIp,
} from '../../../../src/kinds/floatingip/plan.ts'
import type { SeenFloatingIp } from '../../../../src/kinds/floatingip/seen.ts'
import type { Plan } from '../../../../src/reconcile/plan.ts'
import {
  assign,
  assigning,
  front,
  later,
  on,
  other,
  ours,
  remembering,
  seen,
  to,
  unassign,
  want,
  web,
} from './cases.ts'

/** What a plan says besides its messages. */
function gist({ steps, wait, block, pending }: Plan<FloatingIpStep>) {
  return { steps, wait: wait?.reason, block: block?.reason, pending: pending?.reason }
}

interface Row {
  readonly says: string
  readonly want?: Partial<WantedFloatingIp>
  readonly seen?: Partial<SeenFloatingIp> | 'nothing'
  readonly status?: FloatingIpStatus
  readonly steps?: readonly FloatingIpStep[]
  readonly wait?: string
  readonly block?: string
  readonly pending?: string
}

const live: readonly Row[] = [
  // Creating
  {
    says: 'a new address is made with its marked name and the billing account that the service requires',
    seen: 'nothing',
    steps: [{ do: 'create', name: 'a-mark', billingAccount: 7 }],
  },
  {
    says: 'a new address for a machine that exists is made first and assigned later',
    want: to(web),
    seen: 'nothing',
    steps: [{ do: 'create', name: 'a-mark', billingAccount: 7 }],
  },
  {
    says: 'a new address waits for a target that does not exist yet',
    want: later,
    seen: 'nothing',
    wait: 'WaitingForDependency',
  },
  {
    says: 'a new address needs a name',
    want: { name: undefined },
    seen: 'nothing',
    block: 'InvalidSpec',
  },
  // Settings
  { says: 'an address that is as wished needs nothing' },
  {
    says: 'a name changed outside is put back',
    seen: { label: 'x' },
    steps: [{ do: 'update', name: 'a-mark' }],
  },
  {
    says: 'an address without a name gets one: it carries the marker',
    seen: { label: '' },
    steps: [{ do: 'update', name: 'a-mark' }],
  },
  { says: 'a row that leaves the name out is not different', seen: { label: undefined as never } },
  {
    says: 'an adopted address keeps its name when the spec gives none',
    want: { name: undefined },
    seen: { label: 'x' },
  },
  {
    says: 'another billing account in the spec is set',
    want: { billingAccount: 9 },
    steps: [{ do: 'update', billingAccount: 9 }],
  },
  { says: 'whom it is charged to is not compared when the spec does not say', seen: { billingAccount: 8 } },
  {
    says: 'a row that leaves the billing account out is not different',
    want: { billingAccount: 9 },
    seen: { billingAccount: undefined as never },
  },
  {
    says: 'name and billing account take one call',
    want: { billingAccount: 9 },
    seen: { label: 'x' },
    steps: [{ do: 'update', name: 'a-mark', billingAccount: 9 }],
  },
  // Assigning
  { says: 'a free address is assigned', want: to(web), steps: [assign(web)] },
  { says: 'an address that is where it should be stays', want: to(web), seen: on(web) },
  {
    says: 'an assigned address is never assigned again: a move is unassign, then assign',
    want: to(other),
    seen: on(web),
    status: ours(web),
    steps: [unassign(web), assign(other)],
  },
  {
    says: 'a move goes before what can wait',
    want: { ...to(other), billingAccount: 9 },
    seen: on(web),
    status: ours(web),
    steps: [unassign(web), assign(other), { do: 'update', billingAccount: 9 }],
  },
  {
    says: 'without a reference it is unassigned, as when the target is being deleted',
    seen: on(web),
    status: ours(web),
    steps: [unassign(web)],
  },
  {
    says: 'it stays at the old target until the new one exists',
    want: later,
    seen: on(web),
    status: ours(web),
    wait: 'WaitingForDependency',
  },
  {
    says: 'while a target is waited for the rest is done',
    want: { ...later, billingAccount: 9 },
    steps: [{ do: 'update', billingAccount: 9 }],
  },
  // Strangers
  {
    says: 'assigned by somebody else to something else: no call, whatever the spec wants',
    want: to(web),
    seen: on(other),
    block: 'AdoptionConflict',
  },
  {
    says: 'assigned by somebody else, and the spec wants nothing: no call',
    seen: on(other),
    block: 'AdoptionConflict',
  },
  {
    says: 'assigned by somebody else, and the target is waited for: no call, and a person is told',
    want: later,
    seen: on(other),
    block: 'AdoptionConflict',
  },
  {
    says: 'an earlier target of ours does not make another one ours',
    want: to(web),
    seen: on(other),
    status: ours(web),
    block: 'AdoptionConflict',
  },
  {
    says: 'a target that the status shows without a name is none of ours',
    seen: on(other),
    status: { assignedTo: { kind: 'virtual_machine', id: other.id } },
    block: 'AdoptionConflict',
  },
  {
    says: 'the target of an open assign is ours before the status says so',
    want: to(other),
    seen: on(web),
    status: assigning(web),
    steps: [unassign(web), assign(other)],
  },
  {
    says: 'beside a stranger the settings are still ours to change',
    want: { billingAccount: 9 },
    seen: on(other),
    steps: [{ do: 'update', billingAccount: 9 }],
    block: 'AdoptionConflict',
  },
  // Load balancers
  { says: 'a free address is assigned to a load balancer', want: to(front), steps: [assign(front)] },
  {
    says: 'a service that assigns to machines only: the change waits for a person, and the address stays where it is',
    want: { ...to(front), assignsLoadBalancers: false },
    seen: on(web),
    status: ours(web),
    pending: 'Unsupported',
  },
  {
    says: 'an address that is at its load balancer already needs no such operation',
    want: { ...to(front), assignsLoadBalancers: false },
    seen: on(front),
  },
  {
    says: 'a service that assigns to machines only still unassigns from a load balancer',
    want: { ...to(web), assignsLoadBalancers: false },
    seen: on(front),
    status: ours(front),
    steps: [unassign(front), assign(web)],
  },
  // Observing
  {
    says: 'an observed address without a reference is not compared',
    want: { target: { is: 'unmanaged' }, observes: true },
    seen: on(other),
  },
  {
    says: 'an observed address elsewhere is listed as different and is no conflict',
    want: { ...to(web), observes: true },
    seen: on(other),
    steps: [unassign(other), assign(web)],
  },
  // Disabled
  { says: 'a disabled address is a matter for a person', seen: { enabled: false }, block: 'Suspended' },
  {
    says: 'a disabled address can still be moved',
    want: to(web),
    seen: { enabled: false },
    steps: [assign(web)],
    block: 'Suspended',
  },
]

test.each(live)('$says', (row) => {
  const shown = row.seen === 'nothing' ? undefined : { ...seen, ...row.seen }
  const plan = planFloatingIp({ ...want, ...row.want }, shown, remembering(row.status))
  const { steps = [], wait, block, pending } = row
  expect(gist(plan)).toEqual({ steps, wait, block, pending })
})

const gone: readonly Row[] = [
  { says: 'a free address is deleted', steps: [{ do: 'delete' }] },
  {
    says: 'an assigned address is unassigned before it is deleted',
    seen: on(web),
    status: ours(web),
    steps: [unassign(web), { do: 'delete' }],
  },
  {
    says: 'an address that a stranger holds is not taken away',
    seen: on(other),
    status: ours(web),
    block: 'AdoptionConflict',
  },
  { says: 'a disabled address is deleted as well', seen: { enabled: false }, steps: [{ do: 'delete' }] },
]

test.each(gone)('$says', (row) => {
  const shown = row.seen === 'nothing' ? undefined : row.seen
  const plan = planFloatingIpGone({ ...seen, ...shown }, remembering(row.status))
  const { steps = [], wait, block, pending } = row
  expect(gist(plan)).toEqual({ steps, wait, block, pending })
})
