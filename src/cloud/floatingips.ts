/** Floating public IPv4 addresses. Paths carry the address; the identity is the record's `id`. */
import { ignored, record, rows } from './answers.ts'
import type { CloudClient, Send } from './client.ts'
import type { FloatingIpRecord } from './records.ts'
import type { Method, ReadOptions } from './request.ts'
import { floatingIpSchema } from './schemas.ts'

const route = 'network/ip_addresses'
const one = `${route}/{address}`

export interface NewFloatingIp {
  readonly billingAccount: number
  readonly name?: string | undefined
}

export interface FloatingIpChange {
  readonly billingAccount?: number | undefined
  readonly name?: string | undefined
}

/** What an address is assigned to. Only the VM form is documented. */
export type FloatingIpTarget = { readonly vmUUID: string } | { readonly loadBalancerUUID: string }

/** The floating IPs of a location. */
export function listFloatingIps(
  client: CloudClient,
  location: string,
  options?: ReadOptions,
): Promise<readonly FloatingIpRecord[]> {
  return client.read(
    { family: 'floatingIP', method: 'GET', location, route, answer: rows(floatingIpSchema) },
    options,
  )
}

/** One floating IP, read exactly; absent when it is gone, or a record with `deleted`. */
export function getFloatingIp(
  client: CloudClient,
  location: string,
  address: string,
  options?: ReadOptions,
): Promise<FloatingIpRecord> {
  return client.read(
    {
      family: 'floatingIP',
      method: 'GET',
      location,
      route: one,
      ids: { address },
      exact: { kind: 'floatingIP', id: address },
      answer: record(floatingIpSchema),
    },
    options,
  )
}

/** Reserves an address, assigned to nothing. */
export function createFloatingIp(
  client: CloudClient,
  location: string,
  ip: NewFloatingIp,
  send: Send,
): Promise<FloatingIpRecord> {
  return client.change(
    {
      family: 'floatingIP',
      method: 'POST',
      location,
      route,
      json: { billing_account_id: ip.billingAccount, name: ip.name },
      answer: record(floatingIpSchema),
    },
    send,
  )
}

/** Renames a floating IP or moves it to another billing account. */
export function updateFloatingIp(
  client: CloudClient,
  location: string,
  address: string,
  change: FloatingIpChange,
  send: Send,
): Promise<FloatingIpRecord> {
  return changeOne(client, location, 'PATCH', one, { address }, send, {
    billing_account_id: change.billingAccount,
    name: change.name,
  })
}

/** Gives the address back; it can be handed out again at once. */
export function deleteFloatingIp(
  client: CloudClient,
  location: string,
  address: string,
  send: Send,
): Promise<void> {
  return client.change(
    {
      family: 'floatingIP',
      method: 'DELETE',
      location,
      route: one,
      ids: { address },
      exact: { kind: 'floatingIP', id: address },
      answer: ignored,
    },
    send,
  )
}

/** Assigns a floating IP; one that is assigned already is refused. */
export function assignFloatingIp(
  client: CloudClient,
  location: string,
  address: string,
  target: FloatingIpTarget,
  send: Send,
): Promise<FloatingIpRecord> {
  const change =
    'vmUUID' in target
      ? { vm_uuid: target.vmUUID }
      : { assigned_to: target.loadBalancerUUID, assigned_to_resource_type: 'load_balancer' }
  const ids = { address, target: 'vmUUID' in target ? target.vmUUID : target.loadBalancerUUID }
  return changeOne(client, location, 'POST', `${one}/assign`, ids, send, change)
}

/** Takes a floating IP off whatever it is assigned to. */
export function unassignFloatingIp(
  client: CloudClient,
  location: string,
  address: string,
  send: Send,
): Promise<FloatingIpRecord> {
  return changeOne(client, location, 'POST', `${one}/unassign`, { address }, send)
}

function changeOne(
  client: CloudClient,
  location: string,
  method: Method,
  path: string,
  ids: { readonly address: string; readonly target?: string },
  send: Send,
  json?: object,
): Promise<FloatingIpRecord> {
  return client.change(
    {
      family: 'floatingIP',
      method,
      location,
      route: path,
      ids,
      json,
      exact: { kind: 'floatingIP', id: ids.address },
      answer: record(floatingIpSchema),
    },
    send,
  )
}
