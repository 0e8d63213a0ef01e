/** What a test can turn about the service: points where deployments differ or where the interface is silent. */
import type { Profile } from './model.ts'

export type RefusalName =
  | 'vmUnknown'
  | 'vmLocked'
  | 'vmNotStopped'
  | 'vmNotRunning'
  | 'unchanged'
  | 'diskUnknown'
  | 'diskShrinks'
  | 'diskPrimary'
  | 'diskAttached'
  | 'diskDetached'
  | 'sourceImageMissing'
  | 'bucketTaken'
  | 'bucketNotEmpty'
  | 'bucketUnknown'
  | 'networkUnknown'
  | 'networkDefault'
  | 'networkInUse'
  | 'ipUnknown'
  | 'ipAssigned'
  | 'ipUnassigned'
  | 'loadBalancerUnknown'
  | 'tokenUpdate'
  | 'tokenDelete'
  | 'quota'

export interface Rules {
  /** Graceful stops are answered, but the guest stays up: of every VM, or of the listed ids. */
  acpiIgnored: boolean | string[]
  /** The exact GET of a deleted VM, disk or load balancer answers 200 and says so; otherwise as unknown. */
  tombstones: boolean
  /** A freed address is the next one handed out. */
  reuseAddresses: boolean
  /** The floating IP list also holds deleted ones, marked `is_deleted`. */
  deletedRowsInLists: boolean
  /** VM list rows come without description and storage. */
  sparseVmRows: boolean
  /** A network still lists a deleted VM for so long, and cannot be deleted. */
  memberLagMs: number
  /** A VM's record shows an attach or a detach so much later. */
  attachLagMs: number
  /** Attached data disks are destroyed with their VM; otherwise they are left, detached. */
  dataDisksDieWithVm: boolean
  /** A disk deleted through its VM stays in the disk list, detached. */
  storageDeleteLeavesDisk: boolean
  /** A vcpu or ram that is already so is refused. */
  refuseUnchanged: boolean
  /** Weak passwords and the user name root are refused. */
  refuseWeakCredentials: boolean
  /** The keys of a storage user that nobody asked for yet are answered with 404; otherwise there are none yet. */
  keysNeedUser: boolean
  /** Bounds of one VM and of one disk: more is refused. */
  largestVcpu: number
  largestRamMib: number
  largestDiskGib: number
  /** Disks of one VM, with the boot disk; the names of devices end at 26. */
  mostDisksPerVm: number
  /** Start of a running and stop of a stopped VM: answered without a change, or refused. */
  powerNoop: 'unchanged' | 'refuse'
  /** ram is rounded up to a multiple of this. */
  ramStepMib: number
  /** Disk sizes are rounded up to a multiple of this. */
  diskStepGib: number
  /** An assigned address cannot be deleted. */
  refuseDeleteOfAssigned: boolean
  /** The load balancer operations beyond list and create exist. */
  loadBalancerOperations: boolean
  /** What creating a load balancer answers. */
  loadBalancerCreateAnswer: 'record' | 'empty'
  /** Where a new key stands in the answered list. */
  newKeyPlace: 'first' | 'last' | 'alternate'
  /** Status and text of single refusals, where the service's own are not stated. */
  refusals: Partial<Record<RefusalName, { status?: number; text?: string }>>
}

export function defaultRules(profile: Profile): Rules {
  const extended = profile === 'extended'
  return {
    acpiIgnored: false,
    tombstones: extended,
    reuseAddresses: false,
    deletedRowsInLists: false,
    sparseVmRows: false,
    memberLagMs: 0,
    attachLagMs: 0,
    dataDisksDieWithVm: true,
    storageDeleteLeavesDisk: false,
    refuseUnchanged: extended,
    refuseWeakCredentials: extended,
    keysNeedUser: extended,
    largestVcpu: 64,
    largestRamMib: 262_144,
    largestDiskGib: 16_384,
    mostDisksPerVm: 26,
    powerNoop: 'unchanged',
    ramStepMib: 1,
    diskStepGib: 1,
    refuseDeleteOfAssigned: false,
    loadBalancerOperations: extended,
    loadBalancerCreateAnswer: 'record',
    newKeyPlace: 'alternate',
    refusals: {},
  }
}
