/** The steps a virtual machine can take, and the facts of each. Pure. */
import type { Operation } from '../../api/shared.ts'
import type { VmStatus } from '../../api/vm.ts'
import type { Patch, SecretState } from '../../reconcile/kind.ts'
import type { StepFacts } from '../../reconcile/plan.ts'
import type { SeenVm } from './seen.ts'

export type StopMode = 'Graceful' | 'GracefulThenForce' | 'Force'
export type VmSize = NonNullable<VmStatus['resize']>['target']

/** What only the create call takes. */
export interface NewVmWish {
  readonly name: string
  /** The user's own text with the marker as its last word. */
  readonly description: string
  readonly vcpus: number
  readonly memoryMiB: number
  /** An operating system with the size of its disk, a disk to boot from, or a snapshot with the machine it is of. */
  readonly from:
    | { readonly os: string; readonly version: string; readonly bootDiskGiB: number }
    | { readonly diskID: string }
    | { readonly replicaID: string; readonly vmID: string }
  /** Absent: the account's default network, looked up right before the call. */
  readonly networkID?: string
  /** Name or uuid. */
  readonly pool?: string
  readonly reservePublicIP: boolean
  readonly billingAccount: number
  readonly username?: string
  readonly password?: SecretState
  readonly publicKey?: string
  /** The text that the call takes, or where it is: a document never enters a wish. */
  readonly cloudInit?: { readonly json: string } | ({ readonly field: string } & SecretState)
  readonly backups?: boolean
}

/** A copy of another machine, of which only the name can be chosen. */
export interface NewClone {
  /** Cloud id of the original. */
  readonly cloneOf: string
  /** Name of its CloudVM. */
  readonly original: string
  /** With the marker as its suffix: the description is the original's, and so is the marker in there. */
  readonly name: string
  /** The original has a public address, so the clone may come with one. */
  readonly withAddress: boolean
}

export type NewMachine = NewVmWish | NewClone

export interface Stop {
  readonly because: 'size' | 'power' | 'deletion'
  readonly mode: StopMode
  /** With `size`: what the machine is stopped for. */
  readonly target?: VmSize
}

export interface Resize {
  readonly do: 'resize'
  /** Only what differs: some services refuse a size that is the same. */
  readonly vcpus?: number
  readonly memoryMiB?: number
  readonly target: VmSize
}

export type VmStep =
  | { readonly do: 'create'; readonly vm: NewMachine }
  | { readonly do: 'rename'; readonly name: string }
  | { readonly do: 'growBootDisk'; readonly diskID: string; readonly sizeGiB: number }
  | { readonly do: 'toggleBackups'; readonly to: boolean }
  | {
      readonly do: 'setPassword'
      readonly username: string
      readonly secretUID: string
      readonly secretVersion: string
      /** UIDs of the operations that it is set anew after. */
      readonly operations?: readonly string[]
    }
  | ({ readonly do: 'stop' | 'forceStop' } & Stop)
  | Resize
  | { readonly do: 'start' }
  | { readonly do: 'detachDisk'; readonly diskID: string }
  | { readonly do: 'delete' }
  | { readonly do: 'releaseAddress'; readonly id: string; readonly address: string }
  | { readonly do: 'deleteBootDisk'; readonly diskID: string }

export function vmFacts(step: VmStep, seen: SeenVm | undefined): StepFacts {
  const locks = seen === undefined ? [] : [seen.id]
  switch (step.do) {
    case 'create':
      return 'cloneOf' in step.vm ? cloneFacts(step.vm) : createFacts(step.vm)
    case 'rename':
      return { nature: 'set', words: `rename the virtual machine to ${step.name}`, locks }
    case 'growBootDisk':
      return { nature: 'set', words: `grow the boot disk to ${step.sizeGiB} GiB`, locks }
    case 'toggleBackups': {
      const words = `switch automatic backups ${step.to ? 'on' : 'off'}`
      return { nature: 'toggle', words, locks, details: { from: String(!step.to), to: String(step.to) } }
    }
    case 'setPassword':
      return { nature: 'set', words: `set the password of ${step.username}`, locks }
    case 'stop':
    case 'forceStop':
      return stopFacts(step, locks)
    case 'resize':
      return { nature: 'set', words: `change the size to ${sizeWords(step.target)}`, locks }
    case 'start':
      return { nature: 'set', words: 'start the virtual machine', locks }
    case 'detachDisk': {
      const words = `detach the disk ${step.diskID} from the virtual machine`
      return { nature: 'move', words, locks, details: { disk: step.diskID } }
    }
    case 'delete':
      return { nature: 'destroy', words: 'delete the virtual machine', locks }
    case 'releaseAddress':
      return {
        nature: 'destroy',
        words: `release the address ${step.address} made with the virtual machine`,
        removes: { kind: 'CloudFloatingIP', id: step.id },
      }
    case 'deleteBootDisk':
      return {
        nature: 'destroy',
        words: `delete the boot disk ${step.diskID} that was left behind`,
        removes: { kind: 'CloudDisk', id: step.diskID },
      }
  }
}

/** Details of a clone's create. */
export const CLONE = { of: 'cloneOf', withAddress: 'withAddress' } as const

function cloneFacts({ cloneOf, original, name, withAddress }: NewClone): StepFacts {
  return {
    nature: 'create',
    words: `clone the virtual machine of CloudVM ${original} as ${name}`,
    slow: true,
    // The original is named by the call: nothing else is done to it meanwhile.
    locks: [cloneOf],
    details: { [CLONE.of]: cloneOf, ...(withAddress && { [CLONE.withAddress]: 'true' }) },
  }
}

function createFacts(vm: NewVmWish): StepFacts {
  const { from, name, password, vcpus, memoryMiB } = vm
  return {
    nature: 'create',
    words: `create the virtual machine ${name}`,
    slow: true,
    ...('vmID' in from && { locks: [from.vmID] }),
    // Of two that are to boot from it the second waits, and then sees that it is taken.
    ...('diskID' in from && { locks: [from.diskID] }),
    // What was sent: told apart from what came of it once the machine is found, when the wish may be another one.
    details: {
      vcpus: String(vcpus),
      memoryMiB: String(memoryMiB),
      ...(password !== undefined && { passwordUID: password.uid, passwordVersion: password.version }),
    },
  }
}

/** The same words for a graceful stop and the power cut that may follow it: an approval of the one is valid for both. */
function stopFacts(step: Stop & { readonly do: 'stop' | 'forceStop' }, locks: readonly string[]): StepFacts {
  const words =
    step.mode === 'GracefulThenForce'
      ? 'shut the virtual machine down, or cut its power if it does not end in time'
      : step.do === 'forceStop'
        ? 'cut the power of the virtual machine'
        : 'shut the virtual machine down'
  return {
    nature: 'oneShot',
    words,
    locks,
    details: { because: step.because },
    ...(step.because === 'size' && { stops: true }),
    ...(step.because === 'power' && { stops: true, wantedOff: true }),
  }
}

export function sizeWords(size: VmSize): string {
  return `${size.vcpus} CPUs and ${size.memoryMiB} MiB`
}

/** Whether the cloud shows what an open operation was to bring about. */
export function vmEffect(operation: Operation, seen: SeenVm): boolean {
  switch (operation.verb) {
    case 'stop':
    case 'forceStop':
      return seen.power === 'stopped'
    case 'toggleBackups':
      return seen.backups !== undefined && String(seen.backups) === operation.details?.['to']
    case 'detachDisk':
      return (
        seen.storage !== undefined && !seen.storage.some((each) => each.uuid === operation.details?.['disk'])
      )
    default:
      return true
  }
}

/** That the machine ran is stored before it is stopped, so that a crash anywhere ends with it running again. */
export function rememberVm(step: VmStep): Patch<VmStatus> {
  const stops = step.do === 'stop' || step.do === 'forceStop'
  return stops && step.target !== undefined ? { resize: { target: step.target, wasRunning: true } } : {}
}

/** Some services round a size: what was accepted is then another one, and asking again brings no more. */
export function roundedVm(target: VmSize, wasRunning: boolean, seen: SeenVm): Patch<VmStatus> {
  const has = sizeWords({ vcpus: seen.vcpus ?? target.vcpus, memoryMiB: seen.memoryMiB ?? target.memoryMiB })
  return { resize: { target, wasRunning, refused: `accepted, but the virtual machine has ${has}` } }
}
