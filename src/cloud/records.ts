/**
 * What the cloud has, as the rest of the operator sees it: one normalised record per resource.
 *
 * The folder `cloud` speaks the service's HTTP API and nothing else: requests, replies, errors, budgets and shared
 * lists. It knows no Kubernetes word, decides nothing about what should be, and never repeats a mutation.
 *
 * In every record an absent field is *unknown*, never "different" or "empty"; the exceptions say so.
 */

/** A VM. `deleted` marks a tombstone: the service still answers for it although it is gone. */
export interface VmRecord {
  readonly uuid: string
  readonly name?: string
  readonly description?: string
  /** The service's word, as it came. Seen: running, stopped. Any other value means in transition. */
  readonly status?: string
  readonly vcpus?: number
  readonly memoryMiB?: number
  readonly backups?: boolean
  readonly osName?: string
  readonly osVersion?: string
  readonly privateIP?: string
  readonly mac?: string
  readonly hostname?: string
  readonly username?: string
  readonly poolID?: string
  readonly poolName?: string
  readonly billingAccount?: number
  /** Absent means unknown, not "no disks". */
  readonly storage?: readonly StorageRecord[]
  readonly createdAt?: string
  readonly deleted: boolean
}

/** A disk as its VM shows it. */
export interface StorageRecord {
  readonly uuid: string
  readonly name?: string
  readonly sizeGiB?: number
  readonly primary?: boolean
  readonly replicas?: readonly ReplicaRecord[]
}

/** A snapshot or backup of a storage item. */
export interface ReplicaRecord {
  readonly uuid: string
  readonly masterUUID?: string
  readonly sizeGiB?: number
  readonly type?: string
  readonly createdAt?: string
}

/** A disk as the disks API shows it. Boot disks of VMs are listed here too. */
export interface DiskRecord {
  readonly uuid: string
  readonly status?: string
  readonly sizeGiB?: number
  readonly billingAccount?: number
  /** OS_BASE, DISK, SNAPSHOT or EMPTY. */
  readonly sourceType?: string
  readonly source?: string
  readonly displayName?: string
  /** The reply has a display name field, empty or not: this service shows names of disks. */
  readonly showsName: boolean
  readonly snapshots?: readonly DiskSnapshotRecord[]
  readonly createdAt?: string
  readonly deleted: boolean
}

export interface DiskSnapshotRecord {
  readonly uuid: string
  readonly sizeGiB?: number
  readonly createdAt?: string
}

/** A bucket; its name is its identity together with `createdAt`. */
export interface BucketRecord {
  readonly name: string
  readonly billingAccount?: number
  readonly objects?: number
  readonly sizeBytes?: number
  readonly suspended?: boolean
  readonly createdAt?: string
}

export interface NetworkRecord {
  readonly uuid: string
  readonly name?: string
  readonly subnet?: string
  readonly subnetIPv6?: string
  readonly isDefault?: boolean
  readonly vmUUIDs?: readonly string[]
  readonly resourcesCount?: number
  readonly createdAt?: string
}

/** A floating IP. `id` is its identity; the address is only its key in paths and can be handed out again. */
export interface FloatingIpRecord {
  readonly id: number
  readonly uuid?: string
  readonly address: string
  readonly name?: string
  readonly billingAccount?: number
  readonly enabled?: boolean
  /** The uuid it is assigned to. Absent means unassigned. */
  readonly assignedTo?: string
  readonly assignedType?: string
  readonly privateAddress?: string
  readonly createdAt?: string
  readonly deleted: boolean
}

export interface LoadBalancerRecord {
  readonly uuid: string
  readonly displayName?: string
  /** The reply has a display name field, empty or not: this service shows names of load balancers. */
  readonly showsName: boolean
  readonly networkUUID?: string
  readonly billingAccount?: number
  readonly privateAddress?: string
  readonly rules?: readonly RuleRecord[]
  readonly targets?: readonly TargetRecord[]
  readonly createdAt?: string
  readonly deleted: boolean
}

export interface RuleRecord {
  readonly uuid?: string
  readonly sourcePort: number
  readonly targetPort: number
}

export interface TargetRecord {
  readonly uuid: string
  readonly type?: string
  readonly address?: string
}

export interface UserRecord {
  readonly id: number
  readonly name?: string
  readonly email?: string
  /** Absent where the service shows none. */
  readonly profile?: ProfileRecord
}

/** What a person says of themselves. An absent field is not shown; an empty one is shown as empty. */
export interface ProfileRecord {
  readonly firstName?: string
  readonly lastName?: string
  readonly phoneNumber?: string
  /** Compares without giving the number away: no log, status or message can hold it. Absent: not shown. */
  readonly hasPersonalIDNumber?: (value: string) => boolean
}

/** A key pair of the object storage, known by its access key. */
export interface AccessKeyRecord {
  readonly id: string
  /** The secret half. */
  readonly reveal: () => string
}

/** An API token. */
export interface TokenRecord {
  readonly id: number
  readonly description?: string
  readonly billingAccount?: number
  readonly restricted?: boolean
  /** Identity at the API gateway. */
  readonly consumerID?: string
  readonly createdAt?: string
  /** The key itself. */
  readonly reveal: () => string
}

/** The user of the object storage. */
export interface StorageUserRecord {
  readonly maxBuckets?: number
}

export interface LocationRecord {
  readonly slug: string
  readonly displayName?: string
  readonly countryCode?: string
  readonly isDefault: boolean
}

/** A VM resource pool (server class). */
export interface PoolRecord {
  readonly uuid: string
  readonly name?: string
  readonly isDefault: boolean
}

/** Where the object storage answers. */
export interface S3Record {
  readonly url: string
}
