/** One verified identity at one endpoint, as objects of an account use it. */
import type { CloudClient } from '../cloud/client.ts'
import type { Inventory } from '../cloud/inventory.ts'
import type { LocationRecord, PoolRecord } from '../cloud/records.ts'
import type { DiskRecord, StorageRecord } from '../cloud/records.ts'

/**
 * What the service can do, learned by reads and kept for the life of the session; undefined is not learned yet.
 * Mutable on purpose: it is shared memory of facts that never turn back.
 */
export interface Capabilities {
  /** Disks show a display name. */
  diskNames?: boolean
  /** Load balancers show a display name. */
  loadBalancerNames?: boolean
  /** Load balancers can be read one by one, changed and deleted. */
  loadBalancerOperations?: boolean
  /** Networks and load balancers are kept per location: their paths take the slug. */
  networksByLocation?: boolean
  loadBalancersByLocation?: boolean
}

export interface Session {
  /** namespace/name of the CloudAccount. */
  readonly account: string
  readonly client: CloudClient
  readonly inventory: Inventory
  readonly endpoint: string
  readonly userID: number
  readonly billingAccount: number
  readonly defaultLocation: string
  readonly locations: readonly LocationRecord[]
  /** Address of the object storage; absent where it is not offered. */
  readonly objectStorageURL?: string
  readonly syncMs: number
  readonly settleMs: number
  readonly onDelete: 'Delete' | 'Retain'
  /** Nobody else makes anything in this account: what appeared is ours. */
  readonly dedicated?: boolean
  /** An object of the same name with the marker of another cluster is no reason to make none. */
  readonly ignoresNamesakes?: boolean
  readonly capabilities: Capabilities
  readonly memory: SessionMemory
  pools(location: string): Promise<readonly PoolRecord[]>
  /** The slug to send for networks and load balancers: undefined where the service keeps them per account. */
  networkScope(location: string): Promise<string | undefined>
  loadBalancerScope(location: string): Promise<string | undefined>
}

/** Facts of exact reads that list rows may lack. Shared by every account with the same endpoint and key. */
export interface SessionMemory {
  /** A VM's description never changes after its creation. */
  readonly descriptions: Map<string, string>
  /** Storage as last read exactly, by VM id. */
  readonly storage: Map<string, { readonly items: readonly StorageRecord[]; readonly readAt: number }>
  /** Last exact read by id, in monotonic milliseconds. */
  readonly exactReadAt: Map<string, number>
  /** kind/id of objects whose exact read showed no label. */
  readonly unlabelled: Set<string>
  readonly diskDetails: Map<string, DiskRecord>
}
