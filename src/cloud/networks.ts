/** Private networks. Whether they take a location slug is learned per account: undefined sends none. */
import { ignored, record, rows } from './answers.ts'
import type { CloudClient, Send } from './client.ts'
import type { NetworkRecord } from './records.ts'
import type { ReadOptions } from './request.ts'
import { networkSchema } from './schemas.ts'

const route = 'network/network'
const one = `${route}/{network}`

/** The networks of the account, or of a location where the service scopes them so. */
export function listNetworks(
  client: CloudClient,
  location: string | undefined,
  options?: ReadOptions,
): Promise<readonly NetworkRecord[]> {
  return client.read(
    { family: 'network', method: 'GET', location, route: 'network/networks', answer: rows(networkSchema) },
    options,
  )
}

/** One network, read exactly; absent when it is gone. */
export function getNetwork(
  client: CloudClient,
  location: string | undefined,
  uuid: string,
  options?: ReadOptions,
): Promise<NetworkRecord> {
  return client.read(
    {
      family: 'network',
      method: 'GET',
      location,
      route: one,
      ids: { network: uuid },
      exact: { kind: 'network', id: uuid },
      answer: record(networkSchema),
    },
    options,
  )
}

/** Creates a network. Without a name the service would answer the shared default network, so a blank one is never sent. */
export function createNetwork(
  client: CloudClient,
  location: string | undefined,
  name: string,
  send: Send,
): Promise<NetworkRecord> {
  return client.change(
    {
      family: 'network',
      method: 'POST',
      location,
      route,
      texts: { name },
      query: { name },
      answer: record(networkSchema),
    },
    send,
  )
}

/** Renames a network. */
export function renameNetwork(
  client: CloudClient,
  location: string | undefined,
  uuid: string,
  name: string,
  send: Send,
): Promise<NetworkRecord> {
  return client.change(
    {
      family: 'network',
      method: 'PATCH',
      location,
      route: one,
      ids: { network: uuid },
      texts: { name },
      json: { name },
      exact: { kind: 'network', id: uuid },
      answer: record(networkSchema),
    },
    send,
  )
}

/** Makes this network the default, and every other one not. */
export function makeDefault(
  client: CloudClient,
  location: string | undefined,
  uuid: string,
  send: Send,
): Promise<NetworkRecord> {
  return client.change(
    {
      family: 'network',
      method: 'PUT',
      location,
      route: `${one}/default`,
      ids: { network: uuid },
      exact: { kind: 'network', id: uuid },
      answer: record(networkSchema),
    },
    send,
  )
}

/** Deletes a network that is empty and not the default; any other is refused. */
export function deleteNetwork(
  client: CloudClient,
  location: string | undefined,
  uuid: string,
  send: Send,
): Promise<void> {
  return client.change(
    {
      family: 'network',
      method: 'DELETE',
      location,
      route: one,
      ids: { network: uuid },
      exact: { kind: 'network', id: uuid },
      answer: ignored,
    },
    send,
  )
}
