/**
 * The state of the simulated service and its rules. Everything here is plain data and pure functions over it: no HTTP,
 * no clock, no randomness. A rule that says no throws a Refusal.
 */
import type { Rules } from './rules.ts'

export type Profile = 'extended' | 'documented'

/** One person: owner of everything below it. Times are milliseconds since the epoch. */
export interface Account {
  userId: number
  email: string
  name: string
  billingAccounts: number[]
  profile: { id: number; firstName: string; lastName: string; phoneNumber: string; personalIdNumber: string }
  createdAt: number
  profileUpdatedAt: number
  objectStorage: { enabled: boolean; keys: KeyPair[] }
  quota: Quota
}

export interface Quota {
  vms?: number
  vcpus?: number
  memoryMib?: number
  disks?: number
  diskGib?: number
  buckets?: number
  networks?: number
  floatingIps?: number
  loadBalancers?: number
  tokens?: number
}

export interface KeyPair {
  accessKey: string
  secretKey: string
}

export interface Token {
  id: number
  userId: number
  billingAccount: number
  consumerId: string
  gatewayId: string
  description: string
  restricted: boolean
  secret: string
  createdAt: number
  updatedAt: number | null
}

export interface Vm {
  uuid: string
  id: number
  userId: number
  location: string
  billingAccount: number
  name: string
  description: string
  hostname: string
  status: string
  /** Another operation runs: every change is answered with 409. */
  busy: boolean
  backup: boolean
  username: string
  passwordSha256: string | null
  publicKey: string | null
  cloudInit: string | null
  mac: string
  memoryMib: number
  vcpu: number
  osName: string
  osVersion: string
  privateIpv4: string
  publicIpv6: string
  pool: string
  networkUuid: string
  /** Ids of the attached disks in order; the boot disk is the one marked primary. */
  storage: string[]
  /** Detached disks which the record still shows until the given time. */
  ghosts: { disk: string; until: number }[]
  rescue: boolean
  createdAt: number
  updatedAt: number | null
  deletedAt: number | null
}

export type SourceType = 'OS_BASE' | 'DISK' | 'SNAPSHOT' | 'EMPTY'

export interface Disk {
  uuid: string
  id: number
  userId: number
  location: string
  billingAccount: number
  sizeGib: number
  sourceType: SourceType
  source: string | null
  displayName: string | null
  attachedTo: string | null
  visibleFrom: number
  primary: boolean
  device: string
  snapshots: DiskSnapshot[]
  replicas: Replica[]
  /** How often the content was replaced: reinstall and rebuild lose the content before. */
  content: number
  createdAt: number
  updatedAt: number
  deletedAt: number | null
}

export interface DiskSnapshot {
  uuid: string
  sizeGib: number
  createdAt: number
  replica: string | null
}

export interface Replica {
  uuid: string
  id: number
  sizeGib: number
  type: string
  content: number
  /** What was on the disk then. */
  sourceType: SourceType
  source: string | null
  createdAt: number
}

export interface Bucket {
  name: string
  userId: number
  billingAccount: number
  objects: number
  sizeBytes: number
  suspended: boolean
  generation: number
  createdAt: number
  modifiedAt: number
}

export interface Network {
  uuid: string
  id: number
  userId: number
  /** A location slug, or empty where networks are not scoped by location. */
  scope: string
  name: string
  vlanId: number
  subnet: string
  subnetIpv6: string
  /** First address of the subnet as a number, and how many hosts were handed out. */
  base: number
  hosts: number
  isDefault: boolean
  createdAt: number
  updatedAt: number
}

export interface FloatingIp {
  id: number
  uuid: string
  address: string
  userId: number
  location: string
  billingAccount: number
  name: string
  assignedTo: string | null
  assignedType: 'virtual_machine' | 'load_balancer' | 'service' | null
  everAssigned: boolean
  unassignedAt: number | null
  enabled: boolean
  createdAt: number
  updatedAt: number
  deletedAt: number | null
}

export interface LoadBalancer {
  uuid: string
  userId: number
  scope: string
  location: string
  displayName: string
  networkUuid: string
  billingAccount: number
  privateAddress: string
  rules: { uuid: string; sourcePort: number; targetPort: number; createdAt: number }[]
  targets: { vm: string; createdAt: number }[]
  createdAt: number
  updatedAt: number
  deletedAt: number | null
}

export interface World {
  seed: number
  profile: Profile
  /** How many ids of each kind were drawn: the only source of ids. */
  drawn: Record<string, number>
  rules: Rules
  accounts: Map<number, Account>
  tokens: Map<number, Token>
  /** Token id by API key. */
  secrets: Map<string, number>
  vms: Map<string, Vm>
  disks: Map<string, Disk>
  buckets: Map<string, Bucket>
  networks: Map<string, Network>
  floatingIps: Map<number, FloatingIp>
  loadBalancers: Map<string, LoadBalancer>
  /** Addresses given back, last one last, by location. */
  freedAddresses: Record<string, string[]>
  lostDataTokens: string[]
}

/** Who calls, where and when: what every rule is given. */
export interface Caller {
  world: World
  now: number
  account: Account
  token: Token
  location: string
  /** Writes down what the call did, for the call log: 'created vm <uuid>'. */
  note(effect: string): void
}
