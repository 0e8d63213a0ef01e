/**
 * Shared list snapshots of one client: every account with the same endpoint and key looks at the same lists.
 * A list proposes; a missing row is a hint, never a proof.
 */
import type { Clock } from '../loop/clock.ts'
import { listBuckets } from './buckets.ts'
import type { CloudClient } from './client.ts'
import { listDisks } from './disks.ts'
import { listFloatingIps } from './floatingips.ts'
import { listLoadBalancers } from './loadbalancers.ts'
import { listNetworks } from './networks.ts'
import { listAccessKeys } from './accesskeys.ts'
import type {
  AccessKeyRecord,
  BucketRecord,
  DiskRecord,
  FloatingIpRecord,
  LoadBalancerRecord,
  NetworkRecord,
  TokenRecord,
  VmRecord,
} from './records.ts'
import type { ReadOptions } from './request.ts'
import { Shelf } from './shelf.ts'
import type { Freshness, Snapshot } from './shelf.ts'
import { listTokens } from './tokens.ts'
import { listVms } from './vms.ts'

export type { Freshness, Snapshot } from './shelf.ts'

export interface InventoryRecords {
  readonly vm: VmRecord
  readonly disk: DiskRecord
  readonly floatingIP: FloatingIpRecord
  readonly network: NetworkRecord
  readonly loadBalancer: LoadBalancerRecord
  readonly bucket: BucketRecord
  readonly accessKey: AccessKeyRecord
  readonly token: TokenRecord
}

export type InventoryKind = keyof InventoryRecords

/** How each kind is listed, and what identifies a row. */
type Families = {
  readonly [K in InventoryKind]: {
    readonly list: (
      client: CloudClient,
      location: string | undefined,
      options: ReadOptions,
    ) => Promise<readonly InventoryRecords[K][]>
    readonly idOf: (row: InventoryRecords[K]) => string
  }
}

const families: Families = {
  vm: { list: (client, location, options) => listVms(client, placed('vm', location), options), idOf: uuidOf },
  disk: {
    list: (client, location, options) => listDisks(client, placed('disk', location), options),
    idOf: uuidOf,
  },
  floatingIP: {
    list: (client, location, options) => listFloatingIps(client, placed('floatingIP', location), options),
    idOf: (row) => String(row.id),
  },
  network: { list: listNetworks, idOf: uuidOf },
  loadBalancer: { list: listLoadBalancers, idOf: uuidOf },
  bucket: { list: (client, _location, options) => listBuckets(client, options), idOf: (row) => row.name },
  accessKey: {
    list: async (client, _location, options) => (await listAccessKeys(client, options)) ?? [],
    idOf: (row) => row.id,
  },
  token: { list: (client, _location, options) => listTokens(client, options), idOf: (row) => String(row.id) },
}

/** Kept per account, in no location. */
const PLACELESS: ReadonlySet<InventoryKind> = new Set(['bucket', 'accessKey', 'token'])

type Shelves = { readonly [K in InventoryKind]: Map<string, Shelf<InventoryRecords[K]>> }

export class Inventory {
  readonly #client: CloudClient
  readonly #clock: Clock
  readonly #shelves: Shelves = {
    vm: new Map(),
    disk: new Map(),
    floatingIP: new Map(),
    network: new Map(),
    loadBalancer: new Map(),
    bucket: new Map(),
    accessKey: new Map(),
    token: new Map(),
  }

  constructor(client: CloudClient, clock: Clock) {
    this.#client = client
    this.#clock = clock
  }

  /** The rows of a kind. Rejects with the list's CloudError. VMs, disks and floating IPs need their location. */
  list<K extends InventoryKind>(
    kind: K,
    location: string | undefined,
    freshness: Freshness,
  ): Promise<Snapshot<InventoryRecords[K]>> {
    return this.#shelf(kind, location).list(freshness)
  }

  /** Writes a mutation's or an exact read's answer through into the snapshot; a tombstone takes the row out. */
  note<K extends InventoryKind>(kind: K, location: string | undefined, row: InventoryRecords[K]): void {
    const gone = 'deleted' in row && row.deleted
    this.#shelf(kind, location).note(families[kind].idOf(row), gone ? undefined : row)
  }

  /** Takes a row out of the snapshot: an exact read or a delete showed that it is gone. */
  forget(kind: InventoryKind, location: string | undefined, id: string): void {
    this.#shelf(kind, location).note(id, undefined)
  }

  #shelf<K extends InventoryKind>(kind: K, location: string | undefined): Shelf<InventoryRecords[K]> {
    const shelves: Map<string, Shelf<InventoryRecords[K]>> = this.#shelves[kind]
    const place = PLACELESS.has(kind) ? undefined : location
    const existing = shelves.get(place ?? '')
    if (existing !== undefined) return existing
    const { list, idOf } = families[kind]
    const shelf = new Shelf<InventoryRecords[K]>({
      clock: this.#clock,
      fetch: (options) => list(this.#client, place, options),
      idOf,
    })
    shelves.set(place ?? '', shelf)
    return shelf
  }
}

function uuidOf(row: { readonly uuid: string }): string {
  return row.uuid
}

function placed(kind: InventoryKind, location: string | undefined): string {
  if (location === undefined) throw new TypeError(`a list of kind ${kind} needs a location`)
  return location
}
