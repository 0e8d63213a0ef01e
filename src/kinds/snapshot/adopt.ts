/** Finds the snapshot or backup that is to be taken over: one of the boot disk of the machine that the object refers to. */
import type { SnapshotStatus } from '../../api/snapshot.ts'
import type { VmRecord } from '../../cloud/records.ts'
import type { ReadContext } from '../../reconcile/kind.ts'
import { needed } from '../../reconcile/needed.ts'
import type { Block } from '../../reconcile/plan.ts'
import { storageOf } from '../../reconcile/vmrecords.ts'
import { LISTED, listed, shown, type SeenSnapshot } from './seen.ts'

type Context = ReadContext<SnapshotStatus>

/** Throws CloudError. */
export async function snapshotToAdopt(
  context: Context,
  id: string,
): Promise<SeenSnapshot | { readonly refuses: Block }> {
  const vm = needed(context.status?.vm)
  for (const type of LISTED) {
    const known = (await listed(context, vm.id, type)).find((each) => each.id === id)
    if (known !== undefined) return known
  }
  const other = (await shown(context, vm.id))?.find((each) => each.id === id)
  return other ?? { refuses: await missing(context, vm, id) }
}

async function missing(context: Context, vm: NonNullable<SnapshotStatus['vm']>, id: string): Promise<Block> {
  const named = `CloudVM ${vm.name ?? ''} (${vm.id})`
  const owner = await machineWith(context, id)
  if (owner !== undefined && owner.uuid !== vm.id) {
    const other = owner.name === undefined ? owner.uuid : `${owner.name} (${owner.uuid})`
    return {
      reason: 'ReferenceInvalid',
      message: `spec.adopt.id: ${id} is of virtual machine ${other}, spec.vmRef leads to ${named}; refer to the machine it is of, or correct the id`,
    }
  }
  return {
    reason: 'NotFoundToAdopt',
    message: `spec.adopt.id: the disk that ${named} boots from has no snapshot or backup ${id}; correct the id or spec.vmRef, or remove spec.adopt to have one taken`,
  }
}

/** The id of a snapshot begins with that of its disk. */
async function machineWith(context: Context, id: string): Promise<VmRecord | undefined> {
  const { session, location, freshness } = context
  const { rows } = await session.inventory.list('vm', location, freshness)
  return rows.find((row) => storageOf(session, row)?.some((disk) => id.startsWith(disk.uuid)))
}
