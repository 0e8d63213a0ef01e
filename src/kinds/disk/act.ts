/** Carries out one step: one switch, one HTTP call each. */
import type { DiskStatus } from '../../api/disk.ts'
import { createDisk, deleteDisk, renameDisk, setDiskBillingAccount } from '../../cloud/disks.ts'
import type { DiskRecord } from '../../cloud/records.ts'
import { attachDisk, detachDisk, growDisk } from '../../cloud/vm-storage.ts'
import type { CallContext } from '../../reconcile/kind.ts'
import { needed } from '../../reconcile/needed.ts'
import { seenDisk, type SeenDisk } from './seen.ts'
import type { DiskStep, NewDiskWish } from './steps.ts'

type Context = CallContext<DiskStatus>

export async function actDisk(
  context: Context,
  step: DiskStep,
  before: SeenDisk | undefined,
): Promise<SeenDisk> {
  if (step.do === 'create') return created(context, step.disk)
  const { location, send, session } = context
  const { client, inventory, memory } = session
  const seen = needed(before)
  switch (step.do) {
    case 'setBillingAccount': {
      const { billingAccount } = step
      const reply = await setDiskBillingAccount(client, location, seen.id, billingAccount, send)
      return { ...seen, billingAccount, ...noted(context, reply) }
    }
    case 'rename': {
      const reply = await renameDisk(client, location, seen.id, step.name, send)
      return { ...seen, label: step.name, ...noted(context, reply) }
    }
    case 'attach':
      await attachDisk(client, location, step.vmID, seen.id, send)
      memory.storage.delete(step.vmID)
      return seen
    case 'detach':
      await detachDisk(client, location, step.vmID, seen.id, send)
      memory.storage.delete(step.vmID)
      return seen
    case 'grow': {
      const reply = await growDisk(client, location, step.vmID, seen.id, step.sizeGiB, send)
      memory.storage.delete(step.vmID)
      return { ...seen, sizeGiB: reply.sizeGiB ?? step.sizeGiB }
    }
    case 'delete':
      await deleteDisk(client, location, seen.id, send)
      inventory.forget('disk', location, seen.id)
      memory.diskDetails.delete(seen.id)
      return seen
  }
}

/** The display name is always sent: a service without names leaves it out, and one with names then shows whose it is. */
async function created(context: Context, disk: NewDiskWish): Promise<SeenDisk> {
  const body = {
    sizeGiB: disk.sizeGiB,
    billingAccount: disk.billingAccount,
    source: disk.source,
    displayName: disk.name,
  }
  const reply = await createDisk(context.session.client, context.location, body, context.send)
  return { ...noted(context, reply), attachments: [] }
}

/** The reply as an observation, written through into the shared list. A reply may lack fields. */
function noted({ session, location }: Context, reply: DiskRecord): SeenDisk {
  if (reply.showsName) session.capabilities.diskNames = true
  session.inventory.note('disk', location, reply)
  return seenDisk(reply)
}
