/**
 * Network load balancers. Only list and create are documented; the rest exists on newer services, and a 404 there can
 * mean that the operation is missing. Whether they take a location slug is learned per account: undefined sends none.
 */
import { ignored, optional, record, rows } from './answers.ts'
import type { CloudClient, Send } from './client.ts'
import type { LoadBalancerRecord } from './records.ts'
import type { CloudRequest, ReadOptions } from './request.ts'
import { loadBalancerSchema } from './schemas.ts'

const route = 'network/load_balancers'
const one = `${route}/{balancer}`

export interface NewLoadBalancer {
  readonly displayName: string
  readonly billingAccount: number
  readonly networkUUID: string
  /** Always explicit: a reserved address is a resource of its own. */
  readonly reservePublicIP: boolean
  readonly rules: readonly PortRule[]
  readonly targetVmUUIDs: readonly string[]
}

export interface PortRule {
  readonly sourcePort: number
  readonly targetPort: number
}

/** The load balancers of the account, or of a location where the service scopes them so. */
export function listLoadBalancers(
  client: CloudClient,
  location: string | undefined,
  options?: ReadOptions,
): Promise<readonly LoadBalancerRecord[]> {
  return client.read(
    { family: 'loadBalancer', method: 'GET', location, route, answer: rows(loadBalancerSchema) },
    options,
  )
}

/** Creates a load balancer. The reply's shape is not documented: undefined when it holds no record. */
export function createLoadBalancer(
  client: CloudClient,
  location: string | undefined,
  balancer: NewLoadBalancer,
  send: Send,
): Promise<LoadBalancerRecord | undefined> {
  return client.change(
    {
      family: 'loadBalancer',
      method: 'POST',
      location,
      route,
      ids: { network_uuid: balancer.networkUUID },
      json: {
        display_name: balancer.displayName,
        billing_account_id: balancer.billingAccount,
        network_uuid: balancer.networkUUID,
        reserve_public_ip: balancer.reservePublicIP,
        rules: balancer.rules.map(ruleBody),
        targets: balancer.targetVmUUIDs.map(targetBody),
      },
      answer: optional(loadBalancerSchema),
    },
    send,
  )
}

/** Extended. One load balancer, read exactly; absent when it is gone, or a record with `deleted`. */
export function getLoadBalancer(
  client: CloudClient,
  location: string | undefined,
  uuid: string,
  options?: ReadOptions,
): Promise<LoadBalancerRecord> {
  return client.read(
    {
      family: 'loadBalancer',
      method: 'GET',
      location,
      route: one,
      ids: { balancer: uuid },
      exact: { kind: 'loadBalancer', id: uuid },
      answer: record(loadBalancerSchema),
    },
    options,
  )
}

/** Extended. Renames a load balancer. */
export function renameLoadBalancer(
  client: CloudClient,
  location: string | undefined,
  uuid: string,
  displayName: string,
  send: Send,
): Promise<LoadBalancerRecord> {
  return client.change(
    {
      ...whole(location, uuid),
      method: 'PATCH',
      texts: { display_name: displayName },
      json: { display_name: displayName },
      answer: record(loadBalancerSchema),
    },
    send,
  )
}

/** Extended. Moves a load balancer to another billing account. */
export function setLoadBalancerBillingAccount(
  client: CloudClient,
  location: string | undefined,
  uuid: string,
  billingAccount: number,
  send: Send,
): Promise<LoadBalancerRecord> {
  return client.change(
    {
      ...whole(location, uuid),
      method: 'PUT',
      route: `${one}/billing_account`,
      json: { set_id: billingAccount },
      answer: record(loadBalancerSchema),
    },
    send,
  )
}

/** Extended. A reserved address stays behind. */
export function deleteLoadBalancer(
  client: CloudClient,
  location: string | undefined,
  uuid: string,
  send: Send,
): Promise<void> {
  return client.change({ ...whole(location, uuid), method: 'DELETE', answer: ignored }, send)
}

/** Extended. Adds a VM as a target; its address can come later. */
export function addTarget(
  client: CloudClient,
  location: string | undefined,
  uuid: string,
  vmUUID: string,
  send: Send,
): Promise<void> {
  return client.change(
    {
      ...part(location, `${one}/targets`, { balancer: uuid, target_uuid: vmUUID }),
      method: 'POST',
      json: targetBody(vmUUID),
    },
    send,
  )
}

/** Extended. Removes a VM from the targets. */
export function removeTarget(
  client: CloudClient,
  location: string | undefined,
  uuid: string,
  vmUUID: string,
  send: Send,
): Promise<void> {
  return client.change(
    { ...part(location, `${one}/targets/{target}`, { balancer: uuid, target: vmUUID }), method: 'DELETE' },
    send,
  )
}

/** Extended. The reply may lack the rule's uuid: read the load balancer again. */
export function addRule(
  client: CloudClient,
  location: string | undefined,
  uuid: string,
  rule: PortRule,
  send: Send,
): Promise<void> {
  return client.change(
    {
      ...part(location, `${one}/forwarding_rules`, { balancer: uuid }),
      method: 'POST',
      json: ruleBody(rule),
    },
    send,
  )
}

/** Extended. Removes a forwarding rule. */
export function removeRule(
  client: CloudClient,
  location: string | undefined,
  uuid: string,
  ruleUUID: string,
  send: Send,
): Promise<void> {
  return client.change(
    {
      ...part(location, `${one}/forwarding_rules/{rule}`, { balancer: uuid, rule: ruleUUID }),
      method: 'DELETE',
    },
    send,
  )
}

/** A call about the load balancer itself: its "not found" means that it is gone. */
function whole(location: string | undefined, uuid: string) {
  return {
    family: 'loadBalancer',
    location,
    route: one,
    ids: { balancer: uuid },
    exact: { kind: 'loadBalancer', id: uuid },
  } as const satisfies Partial<CloudRequest<unknown>>
}

/** A call about a part: its "not found" can mean the part, so it proves nothing about the load balancer. */
function part(location: string | undefined, path: string, ids: Readonly<Record<string, string>>) {
  return { family: 'loadBalancer', location, route: path, ids, answer: ignored } as const
}

function ruleBody(rule: PortRule) {
  return { source_port: rule.sourcePort, target_port: rule.targetPort }
}

function targetBody(vmUUID: string) {
  return { target_uuid: vmUUID, target_type: 'vm' }
}
