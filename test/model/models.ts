/** The models of all kinds, each with its list of ends. */
import type { Model, Words } from './model.ts'
import { check, type Checked } from './check.ts'
import { accessKeyEnds, apiTokenEnds, bucketEnds, networkEnds, snapshotEnds } from './ends.ts'
import { diskEnds, floatingIpEnds, loadBalancerEnds } from './placed-ends.ts'
import { bucketModel } from './kinds/bucket.ts'
import { accessKeyModel, apiTokenModel } from './kinds/credentials.ts'
import { diskModel } from './kinds/disk.ts'
import { floatingIpModel } from './kinds/floatingip.ts'
import { loadBalancerModel } from './kinds/loadbalancer-states.ts'
import { networkModel } from './kinds/network.ts'
import { snapshotModel } from './kinds/snapshot.ts'
import { vmModel } from './kinds/vm-states.ts'
import { REAL } from './kinds/vmoperation.ts'
import { checkOperations } from './operation-check.ts'
import { vmEnds } from './vm-ends.ts'

export interface Checkable {
  readonly kind: string
  readonly check: () => Checked
}

function checkable<W extends Words>(model: Model<W>): Checkable {
  return { kind: model.kind, check: () => check(model) }
}

export const MODELS: readonly Checkable[] = [
  checkable({ ...vmModel, ends: vmEnds }),
  checkable({ ...diskModel, ends: diskEnds }),
  checkable({ ...bucketModel, ends: bucketEnds }),
  checkable({ ...networkModel, ends: networkEnds }),
  checkable({ ...floatingIpModel, ends: floatingIpEnds }),
  checkable({ ...loadBalancerModel, ends: loadBalancerEnds }),
  checkable({ ...snapshotModel, ends: snapshotEnds }),
  checkable({ ...accessKeyModel, ends: accessKeyEnds }),
  checkable({ ...apiTokenModel, ends: apiTokenEnds }),
  { kind: 'CloudVMOperation', check: () => checkOperations(REAL) },
]
