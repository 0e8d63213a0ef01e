/** Carries out one step: one switch, one HTTP call each. */
import type { FloatingIpStatus } from '../../api/floatingip.ts'
import {
  assignFloatingIp,
  createFloatingIp,
  deleteFloatingIp,
  unassignFloatingIp,
  updateFloatingIp,
} from '../../cloud/floatingips.ts'
import type { FloatingIpRecord } from '../../cloud/records.ts'
import type { CallContext } from '../../reconcile/kind.ts'
import { needed } from '../../reconcile/needed.ts'
import type { FloatingIpStep } from './plan.ts'
import { seenFloatingIp, type SeenFloatingIp } from './seen.ts'

type Context = CallContext<FloatingIpStatus>

/** `seen` is an exact read of this very floating IP: its address leads to no other one. */
export async function actFloatingIp(
  context: Context,
  step: FloatingIpStep,
  seen: SeenFloatingIp | undefined,
): Promise<SeenFloatingIp> {
  const { location, send } = context
  const { client, inventory } = context.session
  switch (step.do) {
    case 'create': {
      const ip = { name: step.name, billingAccount: step.billingAccount }
      return noted(context, await createFloatingIp(client, location, ip, send))
    }
    case 'update': {
      const before = needed(seen)
      const change = { name: step.name, billingAccount: step.billingAccount }
      const reply = await updateFloatingIp(client, location, before.address, change, send)
      return { ...before, ...noted(context, reply), assigned: before.assigned }
    }
    case 'unassign': {
      const before = needed(seen)
      const reply = await unassignFloatingIp(client, location, before.address, send)
      return { ...before, ...noted(context, reply) }
    }
    case 'assign': {
      const before = needed(seen)
      const { kind, id } = step.target
      const target = kind === 'CloudVM' ? { vmUUID: id } : { loadBalancerUUID: id }
      const reply = await assignFloatingIp(client, location, before.address, target, send)
      return { ...before, ...noted(context, reply) }
    }
    case 'delete': {
      const before = needed(seen)
      await deleteFloatingIp(client, location, before.address, send)
      inventory.forget('floatingIP', location, before.id)
      return before
    }
  }
}

/** The answer, which later passes may take from the list as well. */
function noted(context: Context, record: FloatingIpRecord): SeenFloatingIp {
  context.session.inventory.note('floatingIP', context.location, record)
  return seenFloatingIp(record)
}
