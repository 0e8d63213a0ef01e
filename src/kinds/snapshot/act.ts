/** Carries out one step: one switch, one HTTP call each. */
import type { SnapshotStatus } from '../../api/snapshot.ts'
import type { ReplicaRecord, StorageRecord } from '../../cloud/records.ts'
import { createReplica, deleteReplica } from '../../cloud/replicas.ts'
import type { CallContext } from '../../reconcile/kind.ts'
import { cameAfter } from '../../reconcile/look.ts'
import { needed } from '../../reconcile/needed.ts'
import type { SnapshotStep } from './plan.ts'
import { seenSnapshot, SNAPSHOT, type SeenSnapshot } from './seen.ts'

type Context = CallContext<SnapshotStatus>

/** Undefined: one was taken, and the answer does not show which one it is. */
export async function actSnapshot(
  context: Context,
  step: SnapshotStep,
  before: SeenSnapshot | undefined,
): Promise<SeenSnapshot | undefined> {
  const { location, send } = context
  const { client } = context.session
  switch (step.do) {
    case 'create': {
      const { vmID, diskID } = step
      const disk = await createReplica(client, location, { uuid: vmID, diskUUID: diskID }, send)
      const only = onlyNew(context, disk)
      return only && seenSnapshot(only, vmID, SNAPSHOT)
    }
    case 'delete': {
      const seen = needed(before)
      await deleteReplica(client, location, seen.id, send)
      return seen
    }
  }
}

/** The answer shows all copies of the disk, backups included. */
function onlyNew({ status, isOwned }: Context, { replicas = [] }: StorageRecord): ReplicaRecord | undefined {
  const { operation } = needed(status)
  const [only, ...others] = replicas.filter(
    ({ uuid, type, createdAt }) =>
      (type ?? SNAPSHOT) === SNAPSHOT &&
      cameAfter(needed(operation), { id: uuid, ...(createdAt !== undefined && { createdAt }) }) &&
      !isOwned(uuid),
  )
  return only?.type === SNAPSHOT && others.length === 0 ? only : undefined
}
