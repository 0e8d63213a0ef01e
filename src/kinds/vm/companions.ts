/** What comes into being along with a virtual machine and can outlive it: a reserved address, and the boot disk. */
import type { Operation } from '../../api/shared.ts'
import type { CloudVM, VmStatus } from '../../api/vm.ts'
import { orAbsent } from '../../cloud/absent.ts'
import { getDisk } from '../../cloud/disks.ts'
import type { FloatingIpRecord } from '../../cloud/records.ts'
import type { Patch, ReadContext } from '../../reconcile/kind.ts'
import { standsForLost } from '../../reconcile/look.ts'
import { readVm, storageOf } from '../../reconcile/vmrecords.ts'
import { isNameless, type SeenVm } from './seen.ts'
import { CLONE, roundedVm, type VmStep } from './steps.ts'

type Context = ReadContext<VmStatus>

/** Ids of the addresses without a name that exist already. */
export async function namelessAddresses(context: ReadContext<unknown>): Promise<readonly string[]> {
  const { session, location, freshness } = context
  const { rows } = await session.inventory.list('floatingIP', location, freshness)
  return rows.filter(isNameless).map((each) => String(each.id))
}

/** The part of the settle time for which an address that a clone may have is looked for. */
const CLONE_PATIENCE = 10

/**
 * What a create brought along. The address is the one that was not there before, is assigned to the new machine, and has no
 * name; with more than one such address none is taken for ours.
 */
export async function confirmVm(
  context: Context,
  operation: Operation,
  seen: SeenVm,
  object: CloudVM,
): Promise<{ readonly patch: Patch<VmStatus>; readonly wait?: string; readonly atMostMs?: number }> {
  // What stands in for a lost status says what is wished for now, not what was sent.
  const patch = standsForLost(operation)
    ? {}
    : { ...appliedPassword(operation), ...roundedSize(operation, seen) }
  const clones = object.spec.source?.vmRef !== undefined
  if (object.spec.publicIP !== 'Reserve' && !clones) return { patch }
  // Which addresses were there before is not known any more: none is taken for ours.
  if (operation.companions === undefined) return { patch }
  const { session, location, freshness } = context
  const { rows } = await session.inventory.list('floatingIP', location, freshness)
  const before = new Set(operation.companions)
  const own = rows.filter(
    (each) => isNameless(each) && each.assignedTo === seen.id && !before.has(String(each.id)),
  )
  const only = own[0]
  if (only === undefined) {
    // Whether a clone is given an address is not stated: it is not waited for as long as for one that was asked for.
    if (clones && operation.details?.[CLONE.withAddress] === undefined) return { patch }
    const wait = 'waiting for the cloud to show the reserved public address'
    return { patch, wait, ...(clones && { atMostMs: session.settleMs / CLONE_PATIENCE }) }
  }
  if (own.length > 1) return { patch }
  return { patch: { ...patch, reservedIP: { id: String(only.id), address: only.address } } }
}

function appliedPassword({ details }: Operation): Patch<VmStatus> {
  const secretUID = details?.['passwordUID']
  const secretVersion = details?.['passwordVersion']
  if (secretUID === undefined || secretVersion === undefined) return {}
  return { passwordApplied: { secretUID, secretVersion } }
}

/** A size that a new machine did not get it does not get by being stopped for it. */
function roundedSize({ details }: Operation, seen: SeenVm): Patch<VmStatus> {
  const vcpus = Number(details?.['vcpus'])
  const memoryMiB = Number(details?.['memoryMiB'])
  const other =
    (seen.vcpus !== undefined && seen.vcpus !== vcpus) ||
    (seen.memoryMiB !== undefined && seen.memoryMiB !== memoryMiB)
  if (!other || Number.isNaN(vcpus) || Number.isNaN(memoryMiB)) return {}
  return roundedVm({ vcpus, memoryMiB }, false, seen)
}

/** Steps that remove what a deleted machine leaves behind and nobody else uses. */
export async function leftoversOf(context: Context, object: CloudVM): Promise<readonly VmStep[]> {
  const vmID = context.status?.id
  if (vmID === undefined) return []
  const address = await leftAddress(context, vmID)
  const disk = await leftBootDisk(context, object)
  return [address, disk].filter((step) => step !== undefined)
}

async function leftAddress(context: Context, vmID: string): Promise<VmStep | undefined> {
  const { session, location, freshness, status } = context
  const reserved = status?.reservedIP
  if (reserved === undefined) return undefined
  const { byID } = await session.inventory.list('floatingIP', location, freshness)
  const record = byID.get(reserved.id)
  if (record === undefined || !isStillReserved(record, reserved, vmID)) return undefined
  return { do: 'releaseAddress', id: reserved.id, address: reserved.address }
}

/** The same address object as was made along, and nobody has named or taken it since. */
export function isStillReserved(
  record: FloatingIpRecord,
  reserved: { readonly id: string; readonly address: string },
  vmID: string,
): boolean {
  return (
    String(record.id) === reserved.id &&
    record.address === reserved.address &&
    isNameless(record) &&
    (record.assignedTo === undefined || record.assignedTo === vmID)
  )
}

/** Only a disk that was made for this machine, and that no machine has. */
async function leftBootDisk(context: Context, object: CloudVM): Promise<VmStep | undefined> {
  const { session, location, freshness, status } = context
  const diskID = status?.disks?.find((each) => each.primary === true)?.id
  const { adopt, source } = object.spec
  if (diskID === undefined || source?.diskRef !== undefined || adopt !== undefined) return undefined
  const disks = await session.inventory.list('disk', location, freshness)
  if (!disks.byID.has(diskID)) return undefined
  const disk = await orAbsent(getDisk(session.client, location, diskID))
  if (disk?.status?.toLowerCase() !== 'active') return undefined
  return (await isOnSomeVm(context, diskID)) ? undefined : { do: 'deleteBootDisk', diskID }
}

async function isOnSomeVm(context: Context, diskID: string): Promise<boolean> {
  const { session, location, freshness } = context
  const { rows } = await session.inventory.list('vm', location, freshness)
  for (const row of rows) {
    const storage = storageOf(session, row) ?? (await readVm(context, row.uuid))?.storage
    // A machine that does not show its disks may have this one.
    if (storage === undefined || storage.some((each) => each.uuid === diskID)) return true
  }
  return false
}
