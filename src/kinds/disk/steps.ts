/** The steps a disk can take, and the facts of each. Pure. */
import type { Operation } from '../../api/shared.ts'
import type { StepFacts, Wait } from '../../reconcile/plan.ts'
import type { SeenDisk } from './seen.ts'

/** What the create call takes. */
export interface NewDiskWish {
  readonly name: string
  readonly sizeGiB: number
  readonly billingAccount: number
  /** Absent: an empty disk. `id` is `<os>_<version>` for OS_BASE, else the id of the source. */
  readonly source?: { readonly type: 'OS_BASE' | 'DISK' | 'SNAPSHOT'; readonly id: string }
}

export type DiskStep =
  | { readonly do: 'create'; readonly disk: NewDiskWish }
  | { readonly do: 'setBillingAccount'; readonly billingAccount: number }
  | { readonly do: 'rename'; readonly name: string }
  | { readonly do: 'attach'; readonly vmID: string }
  | { readonly do: 'detach'; readonly vmID: string }
  | { readonly do: 'grow'; readonly vmID: string; readonly sizeGiB: number }
  | { readonly do: 'delete' }

export function diskFacts(step: DiskStep): StepFacts {
  switch (step.do) {
    case 'create':
      return {
        nature: 'create',
        words: `create the disk ${step.disk.name} of ${step.disk.sizeGiB} GiB`,
        details: sentDetails(step.disk),
      }
    case 'setBillingAccount':
      return { nature: 'set', words: `charge the disk to billing account ${step.billingAccount}` }
    case 'rename':
      return { nature: 'set', words: `rename the disk to ${step.name}` }
    case 'attach':
      return onVm('move', `attach the disk to virtual machine ${step.vmID}`, step.vmID)
    case 'detach':
      return onVm('move', `detach the disk from virtual machine ${step.vmID}`, step.vmID)
    case 'grow':
      return onVm('set', `grow the disk to ${step.sizeGiB} GiB`, step.vmID)
    case 'delete':
      return { nature: 'destroy', words: 'delete the disk' }
  }
}

function onVm(nature: 'move' | 'set', words: string, vmID: string): StepFacts {
  return { nature, words, locks: [vmID], details: { vm: vmID } }
}

/** What was sent, for telling the result of an unanswered create by it; the wish may be edited since. */
function sentDetails(disk: NewDiskWish): Readonly<Record<string, string>> {
  return {
    sizeGiB: String(disk.sizeGiB),
    billingAccount: String(disk.billingAccount),
    sourceType: disk.source?.type ?? 'EMPTY',
    ...(disk.source !== undefined && { source: disk.source.id }),
  }
}

/** Whether a row is equal in everything that was sent, as far as it shows it. */
export function mayBeCreated(details: Readonly<Record<string, string>>, row: SeenDisk): boolean {
  const same = (wanted: string | undefined, shown: string | number | undefined) =>
    wanted === undefined || shown === undefined || String(shown) === wanted
  return (
    same(details['sizeGiB'], row.sizeGiB) &&
    same(details['billingAccount'], row.billingAccount) &&
    same(details['sourceType'], row.sourceType) &&
    same(details['source'], row.source)
  )
}

/** The same where what was sent is lost, and the wish is all there is: size and billing account may be others by now. */
export function mayBeOlder(details: Readonly<Record<string, string>>, row: SeenDisk): boolean {
  const { source, sourceType } = details
  return mayBeCreated({ ...(source && { source }), ...(sourceType && { sourceType }) }, row)
}

/** The same of a create whose intent is not at hand. */
export function mayBeWished(disk: NewDiskWish, row: SeenDisk): boolean {
  return mayBeCreated(sentDetails(disk), row)
}

/** The field of the spec that a refused create is about, as far as the service says. */
export function diskRefusedField(
  step: DiskStep,
  text: string,
  parameter: string | undefined,
): string | undefined {
  if (step.do !== 'create') return undefined
  // Where the shape of the error has no room for a parameter, the text may begin with it.
  switch (parameter ?? /^(\w+):/.exec(text)?.[1]) {
    case 'size_gb':
      return 'spec.sizeGiB'
    case 'billing_account_id':
      return 'spec.billingAccount'
    case 'source_image':
    case 'source_image_type':
      return step.disk.source && SOURCE_FIELDS[step.disk.source.type]
    default:
      return undefined
  }
}

const SOURCE_FIELDS = {
  OS_BASE: 'spec.source.image',
  DISK: 'spec.source.diskRef',
  SNAPSHOT: 'spec.source.snapshotID',
} as const

/** Whether the cloud shows what an open operation was to bring about. */
export function diskEffect(operation: Operation, seen: SeenDisk): boolean {
  const vmID = operation.details?.['vm']
  const attached = seen.attachments?.some((each) => each.vmID === vmID)
  switch (operation.verb) {
    case 'attach':
      return attached === true
    case 'detach':
      return attached === false
    default:
      return true
  }
}

/** A reference leads to a machine that our own object made: a spec has no part in its being unknown. */
const NO_SUCH_VM = /\bno such (?:virtual machine|vm)\b|\b(?:virtual machine|vm)\b.*\bnot (?:found|exist)\b/i

/** The machine lets go of a disk later than it says so. */
export function diskRefusedWait(step: DiskStep, text: string): Wait | undefined {
  const moves = step.do === 'attach' || step.do === 'detach' || step.do === 'delete'
  if ((step.do === 'attach' || step.do === 'grow') && NO_SUCH_VM.test(text)) {
    const message = `the service does not know virtual machine ${step.vmID} any more: "${text}"; it is looked at again by itself`
    return { reason: 'WaitingForDependency', message }
  }
  if (!moves || !/attached|in use|busy|locked/i.test(text)) return undefined
  const message = `the service does not let the disk go yet: "${text}"; it is tried again by itself`
  return { reason: 'WaitingForCloud', message }
}
