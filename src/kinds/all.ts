/** Every kind the pipeline reconciles; CloudAccount and CloudVMOperation have reconciles of their own. Add a kind here, and nowhere else. */
import type { AnyKind } from '../reconcile/pass.ts'
import { accessKeyKind } from './accesskey/kind.ts'
import { apiTokenKind } from './apitoken/kind.ts'
import { bucketKind } from './bucket/kind.ts'
import { diskKind } from './disk/kind.ts'
import { floatingIpKind } from './floatingip/kind.ts'
import { loadBalancerKind } from './loadbalancer/kind.ts'
import { networkKind } from './network/kind.ts'
import { snapshotKind } from './snapshot/kind.ts'
import { vmKind } from './vm/kind.ts'
import { vmOperationKind } from './vmoperation/kind.ts'

/** The pipeline treats each kind through the interface alone; what it passes to a kind always came from that kind. */
const anyKind = (kind: unknown): AnyKind => kind as AnyKind

export const pipelineKinds: readonly AnyKind[] = [
  anyKind(networkKind),
  anyKind(bucketKind),
  anyKind(diskKind),
  anyKind(vmKind),
  anyKind(floatingIpKind),
  anyKind(loadBalancerKind),
  anyKind(snapshotKind),
  anyKind(accessKeyKind),
  anyKind(apiTokenKind),
]

/** Kinds with a reconcile of their own, known to the rest by what they refer to. */
export const ownKinds: readonly AnyKind[] = [anyKind(vmOperationKind)]
