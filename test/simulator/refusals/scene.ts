/**
 * A service with one thing of each kind in each state, for requests that must be refused: what they name is the caller's
 * own, another account's, another location's, deleted, or was never there. Requests go through the door without sockets.
 */
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { systemClock } from '../../../src/loop/clock.ts'
import { billing, vmForm, type Form, type Profile } from '../kit.ts'

export interface Request {
  method: string
  /** After /v1, with its query. */
  path: string
  contentType?: string
  body?: string
  /** The own key when absent; empty: none. */
  apiKey?: string
}

export interface Response {
  status: number
  text: string
}

export interface Scene {
  profile: Profile
  simulator: Simulator
  send(request: Request): Promise<Response>
  /** Brings back the state that the scene began with. */
  restore(): void
  ids: Ids
}

export type Ids = Awaited<ReturnType<typeof populate>>

export const unknownUuid = '00000000-0000-4000-8000-00000000000f'

export async function setScene(profile: Profile): Promise<Scene> {
  const clock = { ...systemClock, now: () => 1_700_000_000_000 }
  const simulator = createSimulator({ profile, clock })
  const send = sender(simulator)
  const ids = await populate(simulator, send)
  const state = simulator.control.dump()
  const restore = (): void => {
    simulator.control.load(state)
    // A state that is loaded has no operation under way.
    simulator.control.mutate({ do: 'setVm', uuid: ids.busyVm, set: { busy: true } })
  }
  restore()
  return { profile, simulator, send, restore, ids }
}

function sender(simulator: Simulator) {
  return async ({ method, path, contentType, body, apiKey }: Request): Promise<Response> => {
    const key = apiKey ?? simulator.apiKey
    const served = await simulator.serve({
      method,
      target: `/v1${path}`,
      headers: {
        ...(key !== '' && { apikey: key }),
        ...(contentType !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body }),
    })
    if (served.outcome !== 'answered') throw new Error(`${method} ${path}: ${served.outcome}`)
    return { status: served.status, text: served.body }
  }
}

type Send = ReturnType<typeof sender>

async function populate(simulator: Simulator, send: Send) {
  const { control } = simulator
  const foreign = control.createAccount()
  const restricted = control.createAccount({ billingAccounts: [7, 8], restrictedTo: 7 })
  const asForeign = maker(send, foreign.apiKey)
  const own = maker(send, simulator.apiKey)
  const vm = await own.vm()
  const stoppedVm = await own.vm()
  await own.make('POST', '/user-resource/vm/stop', { uuid: stoppedVm })
  const deletedVm = await own.vm()
  await own.make('DELETE', '/user-resource/vm', { uuid: deletedVm })
  const deletedDisk = await own.disk()
  control.mutate({ do: 'delete', kind: 'disk', id: deletedDisk })
  const deletedAddress = await own.address()
  control.mutate({ do: 'delete', kind: 'floatingIp', id: deletedAddress })
  const disk = await own.disk()
  const attachedDisk = await own.disk()
  await own.make('POST', '/user-resource/vm/storage/attach', { uuid: vm, storage_uuid: attachedDisk })
  const bootDisk = String(
    control.inventory().disks.find((row) => row['primary'] && row['attachedTo'] === vm)?.['uuid'],
  )
  const assignedAddress = await own.address()
  control.mutate({ do: 'assignIp', address: assignedAddress, to: vm })
  const replicaOf = (uuid: string) =>
    control.mutate({ do: 'addReplica', vm: uuid, type: 'snapshot' }).ids[0] ?? ''
  const foreignVm = await asForeign.vm()
  const strangers = (kind: 'network' | 'loadBalancer', apiKey?: string) =>
    control.mutate({ do: 'create', kind, ...(apiKey !== undefined && { apiKey }) }).ids[0] ?? ''
  const network = strangers('network')
  const usedNetwork = strangers('network')
  await own.make('POST', '/user-resource/vm', plainVm({ network_uuid: usedNetwork }))
  await own.bucket('own-bucket')
  await own.bucket('full-bucket')
  control.mutate({ do: 'setBucket', bucket: 'full-bucket', set: { objects: 3 } })
  await asForeign.bucket('foreign-bucket')
  await own.make('GET', '/storage/user')
  return {
    restrictedKey: restricted.apiKey,
    restrictedTo: restricted.billingAccount,
    foreignBilling: foreign.billingAccount,
    ownToken: Number(control.inventory(simulator.apiKey).tokens[0]?.['id']),
    foreignToken: Number(control.inventory(foreign.apiKey).tokens[0]?.['id']),
    accessKey: String(control.inventory(simulator.apiKey).keys[0]?.['accessKey']),
    ...{ vm, stoppedVm, deletedVm, foreignVm },
    busyVm: await own.vm(),
    elsewhereVm: await own.vm('/sgp01'),
    ...{ disk, attachedDisk, bootDisk, deletedDisk },
    foreignDisk: await asForeign.disk(),
    elsewhereDisk: await own.disk('/sgp01'),
    snapshot: control.mutate({ do: 'snapshotDisk', disk }).ids[0] ?? '',
    ...{ replica: replicaOf(vm), otherReplica: replicaOf(stoppedVm), foreignReplica: replicaOf(foreignVm) },
    ...{ network, usedNetwork, foreignNetwork: strangers('network', foreign.apiKey) },
    defaultNetwork: String(control.inventory(simulator.apiKey).networks.find(isDefaultHere)?.['uuid']),
    ...{ address: await own.address(), assignedAddress, deletedAddress },
    foreignAddress: await asForeign.address(),
    balancer: strangers('loadBalancer'),
    foreignBalancer: strangers('loadBalancer', foreign.apiKey),
    pool: await own.pool(''),
    elsewherePool: await own.pool('/sgp01'),
  }
}

/** In the location that paths without a slug are about, where networks have one. */
function isDefaultHere(network: Record<string, unknown>): boolean {
  return network['isDefault'] === true && ['', 'jkt01'].includes(String(network['scope']))
}

/** Makes things with a key; its requests must succeed. */
function maker(send: Send, apiKey: string) {
  const account = async (): Promise<number> => {
    const { text } = await send({ method: 'GET', path: '/user-resource/user', apiKey })
    return billing + (JSON.parse(text) as { id: number }).id - 1001
  }
  const make = async (method: string, path: string, fields?: Form, json?: object) => {
    const answer = await send({
      ...{ method, path, apiKey },
      ...(fields && { contentType: 'application/x-www-form-urlencoded', body: formBody(fields) }),
      ...(json && { contentType: 'application/json', body: JSON.stringify(json) }),
    })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return (answer.text === '' ? {} : JSON.parse(answer.text)) as Record<string, string>
  }
  return {
    make,
    vm: async (slug = '') =>
      (await make('POST', `${slug}/user-resource/vm`, plainVm({ billing_account_id: await account() })))[
        'uuid'
      ] ?? '',
    disk: async (slug = '') =>
      (await make('POST', `${slug}/storage/disks`, { size_gb: 10, billing_account_id: await account() }))[
        'uuid'
      ] ?? '',
    bucket: async (name: string) =>
      make('PUT', '/storage/bucket', { name, billing_account_id: await account() }),
    address: async () =>
      (await make('POST', '/network/ip_addresses', undefined, { billing_account_id: await account() }))[
        'address'
      ] ?? '',
    pool: async (slug: string) => {
      const rows = await make('GET', `${slug}/user-resource/host_pool/list`)
      return (rows as unknown as { uuid: string }[])[0]?.uuid ?? ''
    },
  }
}

/** A valid VM create form without a public address. */
export function plainVm(fields: Form = {}): Form {
  return vmForm({ reserve_public_ip: false, ...fields })
}

export function formBody(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&')
}
