/**
 * Shared list snapshots of one client: every account with the same endpoint and key looks at the same lists.
 * A list proposes; a missing row is a hint, never a proof.
 */
import type { Clock } from '../loop/clock.ts'
import type { CloudClient } from './client.ts'
import type {
  BucketRecord,
  DiskRecord,
  FloatingIpRecord,
  LoadBalancerRecord,
  NetworkRecord,
  VmRecord,
} from './records.ts'

export interface InventoryRecords {
  readonly vm: VmRecord
  readonly disk: DiskRecord
  readonly floatingIP: FloatingIpRecord
  readonly network: NetworkRecord
  readonly loadBalancer: LoadBalancerRecord
  readonly bucket: BucketRecord
}

export type InventoryKind = keyof InventoryRecords

/** Either at most this old, or begun after this moment of `clock.monotonic`. */
export type Freshness = { readonly maxAgeMs: number } | { readonly startedAfter: number }

export interface Snapshot<R> {
  readonly rows: readonly R[]
  /** By uuid; a bucket by its name, a floating IP by its `id` as text. */
  readonly byID: ReadonlyMap<string, R>
  /** `clock.monotonic` when the list's request began. */
  readonly startedAt: number
}

export class Inventory {
  readonly #client: CloudClient
  readonly #clock: Clock

  constructor(client: CloudClient, clock: Clock) {
    this.#client = client
    this.#clock = clock
  }

  /** The rows of a kind. Rejects with the list's CloudError. A location-bound kind needs its location. */
  list<K extends InventoryKind>(
    kind: K,
    location: string | undefined,
    freshness: Freshness,
  ): Promise<Snapshot<InventoryRecords[K]>> {
    throw new Error(
      `not written yet: ${kind} ${location ?? ''} ${JSON.stringify(freshness)} ${this.#client.endpoint} ${this.#clock.now()}`,
    )
  }

  /** Writes a mutation's or an exact read's answer through into the snapshot; a tombstone takes the row out. */
  note<K extends InventoryKind>(kind: K, location: string | undefined, row: InventoryRecords[K]): void {
    throw new Error(`not written yet: ${kind} ${location ?? ''} ${JSON.stringify(row)}`)
  }

  /** Takes a row out of the snapshot: an exact read or a delete showed that it is gone. */
  forget(kind: InventoryKind, location: string | undefined, id: string): void {
    throw new Error(`not written yet: ${kind} ${location ?? ''} ${id}`)
  }
}
