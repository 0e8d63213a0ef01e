/** Carries out one step: one switch, one HTTP call each. */
import type { LoadBalancerStatus } from '../../api/loadbalancer.ts'
import { deleteFloatingIp, unassignFloatingIp } from '../../cloud/floatingips.ts'
import {
  addRule,
  addTarget,
  createLoadBalancer,
  deleteLoadBalancer,
  removeRule,
  removeTarget,
  renameLoadBalancer,
  setLoadBalancerBillingAccount,
} from '../../cloud/loadbalancers.ts'
import type { LoadBalancerRecord } from '../../cloud/records.ts'
import type { CallContext } from '../../reconcile/kind.ts'
import { needed } from '../../reconcile/needed.ts'
import { StepWaits } from '../../reconcile/refused.ts'
import type { CreateStep, LoadBalancerStep } from './steps.ts'
import { seenLoadBalancer, type SeenLoadBalancer } from './seen.ts'

type Context = CallContext<LoadBalancerStatus>

/** Answers about targets and rules are not documented: what became of them is seen by the next exact read. */
export async function actLoadBalancer(
  context: Context,
  step: LoadBalancerStep,
  seen: SeenLoadBalancer | undefined,
): Promise<SeenLoadBalancer | undefined> {
  const { location, send } = context
  const { client, inventory } = context.session
  const scope = await context.session.loadBalancerScope(location)
  if (step.do === 'create') return create(context, scope, step)
  const before = needed(seen)
  const { id } = before
  switch (step.do) {
    case 'rename':
      return merged(context, scope, before, await renameLoadBalancer(client, scope, id, step.name, send))
    case 'setBillingAccount': {
      const { billingAccount } = step
      const reply = await setLoadBalancerBillingAccount(client, scope, id, billingAccount, send)
      return merged(context, scope, before, reply)
    }
    case 'addTarget':
      await addTarget(client, scope, id, step.id, send)
      return before
    case 'removeTarget':
      await removeTarget(client, scope, id, step.id, send)
      return before
    case 'addRule':
      await addRule(client, scope, id, { sourcePort: step.sourcePort, targetPort: step.targetPort }, send)
      return before
    case 'removeRule':
      await removeRule(client, scope, id, needed(step.id), send)
      return before
    case 'delete':
      await deleteLoadBalancer(client, scope, id, send)
      inventory.forget('loadBalancer', scope, id)
      return before
    case 'unassignAddress':
      inventory.note('floatingIP', location, await unassignFloatingIp(client, location, step.address, send))
      return before
    case 'deleteAddress':
      await deleteFloatingIp(client, location, step.address, send)
      inventory.forget('floatingIP', location, step.id)
      return before
  }
}

async function create(
  context: Context,
  scope: string | undefined,
  step: CreateStep,
): Promise<SeenLoadBalancer | undefined> {
  const { session, send } = context
  const balancer = {
    displayName: step.name,
    billingAccount: step.billingAccount,
    networkUUID: step.networkID ?? (await defaultNetwork(context)),
    reservePublicIP: step.reserveAddress,
    rules: step.rules,
    targetVmUUIDs: step.targetIDs,
  }
  const record = await createLoadBalancer(session.client, scope, balancer, send)
  if (record === undefined) return undefined
  session.inventory.note('loadBalancer', scope, record)
  return seenLoadBalancer(record, session)
}

/** Looked up now and sent by its id: which network is the default can change at any time. */
async function defaultNetwork({ session, location }: Context): Promise<string> {
  const scope = await session.networkScope(location)
  const { rows } = await session.inventory.list('network', scope, { maxAgeMs: 0 })
  const network = rows.find(({ isDefault }) => isDefault === true)
  if (network !== undefined) return network.uuid
  throw new StepWaits(
    'spec.networkRef: the account has no default network to make the load balancer in; make one (a CloudNetwork with spec.default: true), or refer to a CloudNetwork',
  )
}

/** The reply over what was known; a reply may lack fields. */
function merged(
  { session }: Context,
  scope: string | undefined,
  before: SeenLoadBalancer,
  reply: LoadBalancerRecord,
): SeenLoadBalancer {
  session.inventory.note('loadBalancer', scope, reply)
  return { ...before, ...seenLoadBalancer(reply, session) }
}
