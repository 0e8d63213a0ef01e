/** Every kind by its name. */
import { type AccessKeySpec, type AccessKeyStatus, accessKeyKind } from './accesskey.ts'
import { type AccountSpec, type AccountStatus, accountKind } from './account.ts'
import { type ApiTokenSpec, type ApiTokenStatus, apiTokenKind } from './apitoken.ts'
import { type BucketSpec, type BucketStatus, bucketKind } from './bucket.ts'
import { type DiskSpec, type DiskStatus, diskKind } from './disk.ts'
import { type FloatingIpSpec, type FloatingIpStatus, floatingIpKind } from './floatingip.ts'
import type { Kind } from './group.ts'
import type { KindSchema } from './kindschema.ts'
import { type LoadBalancerSpec, type LoadBalancerStatus, loadBalancerKind } from './loadbalancer.ts'
import { type NetworkSpec, type NetworkStatus, networkKind } from './network.ts'
import { type SnapshotSpec, type SnapshotStatus, snapshotKind } from './snapshot.ts'
import { type VmSpec, type VmStatus, vmKind } from './vm.ts'
import { type VmOperationSpec, type VmOperationStatus, vmOperationKind } from './vmoperation.ts'

export interface Specs {
  readonly CloudAccount: AccountSpec
  readonly CloudVM: VmSpec
  readonly CloudDisk: DiskSpec
  readonly CloudBucket: BucketSpec
  readonly CloudNetwork: NetworkSpec
  readonly CloudFloatingIP: FloatingIpSpec
  readonly CloudLoadBalancer: LoadBalancerSpec
  readonly CloudAccessKey: AccessKeySpec
  readonly CloudAPIToken: ApiTokenSpec
  readonly CloudSnapshot: SnapshotSpec
  readonly CloudVMOperation: VmOperationSpec
}

export interface Statuses {
  readonly CloudAccount: AccountStatus
  readonly CloudVM: VmStatus
  readonly CloudDisk: DiskStatus
  readonly CloudBucket: BucketStatus
  readonly CloudNetwork: NetworkStatus
  readonly CloudFloatingIP: FloatingIpStatus
  readonly CloudLoadBalancer: LoadBalancerStatus
  readonly CloudAccessKey: AccessKeyStatus
  readonly CloudAPIToken: ApiTokenStatus
  readonly CloudSnapshot: SnapshotStatus
  readonly CloudVMOperation: VmOperationStatus
}

export const kindSchemas: Readonly<Record<Kind, KindSchema>> = {
  CloudAccount: accountKind,
  CloudVM: vmKind,
  CloudDisk: diskKind,
  CloudBucket: bucketKind,
  CloudNetwork: networkKind,
  CloudFloatingIP: floatingIpKind,
  CloudLoadBalancer: loadBalancerKind,
  CloudAccessKey: accessKeyKind,
  CloudAPIToken: apiTokenKind,
  CloudSnapshot: snapshotKind,
  CloudVMOperation: vmOperationKind,
}
