/** Decides what to do with a virtual machine. Pure. Rules of the service are the lines below. */
import type { VmStatus } from '../../api/vm.ts'
import type { Memory, SecretState } from '../../reconcile/kind.ts'
import { blocked, waiting, type Block, type Pending, type Plan } from '../../reconcile/plan.ts'
import type { SeenVm } from './seen.ts'
import type { NewMachine, Resize, Stop, StopMode, VmStep } from './steps.ts'

/** An undefined field is not managed. */
export interface WantedVm {
  /** Undefined: exists already, or is taken over. */
  readonly create: NewMachine | undefined
  readonly name: string | undefined
  readonly vcpus: number | undefined
  readonly memoryMiB: number | undefined
  readonly bootDiskGiB: number | undefined
  readonly backups: boolean | undefined
  readonly powerState: 'Running' | 'Stopped' | undefined
  readonly stopMode: StopMode
  readonly username: string | undefined
  readonly password: WantedPassword | undefined
  readonly billingAccount: number | undefined
  /** Undefined for a machine taken over, whose pool is as it is. */
  readonly pool: string | undefined
}

/** `operations`: UIDs of those that replaced the boot disk, and with it the password that was set before. */
export type WantedPassword = SecretState & { readonly operations?: readonly string[] }

type VmMemory = Memory<VmStatus>

export function planVm(want: WantedVm, seen: SeenVm | undefined, memory: VmMemory): Plan<VmStep> {
  if (seen === undefined) return planNew(want)
  if (seen.power === 'between') return inBetween(seen)
  const quiet = quietSteps(want, seen)
  const power = powerPlan(want, seen, memory)
  const block = frozenDifference(want, seen) ?? power.block
  const pending = power.pending ?? shrinking(want, seen)
  return {
    steps: [...quiet, ...power.steps],
    // What waits is the first step that touches the power: the quiet ones go before it.
    ...(power.wait !== undefined && quiet.length === 0 && { wait: power.wait }),
    ...(block !== undefined && { block }),
    ...(pending !== undefined && { pending }),
  }
}

function planNew(want: WantedVm): Plan<VmStep> {
  if (want.create === undefined)
    return blocked('NotFoundToAdopt', 'spec.adopt.id: there is no such virtual machine')
  const create: VmStep = { do: 'create', vm: want.create }
  // A new machine runs.
  const stops = want.powerState === 'Stopped'
  return { steps: stops ? [create, stopping(want.stopMode, { because: 'power' })] : [create] }
}

/** Words of the service other than running and stopped mean a transition: nothing is sent into it. */
function inBetween(seen: SeenVm): Plan<VmStep> {
  const word = seen.powerWord ?? 'between two states'
  return waiting('WaitingForCloud', `the virtual machine is ${word}: waiting until it is running or stopped`)
}

/** What needs no particular power state. */
function quietSteps(want: WantedVm, seen: SeenVm): VmStep[] {
  const list: VmStep[] = []
  if (want.name !== undefined && differs(want.name, seen.name)) list.push({ do: 'rename', name: want.name })
  const boot = bootDiskOf(seen)
  // A disk only grows.
  if (want.bootDiskGiB !== undefined && boot?.sizeGiB !== undefined && boot.sizeGiB < want.bootDiskGiB) {
    list.push({ do: 'growBootDisk', diskID: boot.uuid, sizeGiB: want.bootDiskGiB })
  }
  if (want.backups !== undefined && differs(want.backups, seen.backups)) {
    list.push({ do: 'toggleBackups', to: want.backups })
  }
  return list
}

function powerPlan(want: WantedVm, seen: SeenVm, memory: VmMemory): Plan<VmStep> {
  const change = sizeChange(want, seen)
  const password = passwordPlan(want, seen, memory)
  if (seen.power === 'running') return whileRunning(want, memory, change, password)
  if (seen.power === 'stopped') return whileStopped(want, memory, change, password)
  return change === undefined && password.steps.length === 0
    ? password
    : waiting('WaitingForCloud', 'the service does not show whether the virtual machine runs')
}

/** The service changes cpus and memory of a stopped machine only, and passwords of a running one only. */
function whileRunning(
  want: WantedVm,
  memory: VmMemory,
  change: Resize | undefined,
  password: Plan<VmStep>,
): Plan<VmStep> {
  if (want.powerState === 'Stopped') {
    const stop = stopped(want.stopMode, { because: 'power' }, memory)
    return { ...password, ...after(password, stop, change === undefined ? [] : [change]) }
  }
  if (change === undefined) return password
  const refusal = refusedBefore(change, memory)
  // Not stopped a second time for a size that was refused.
  if (refusal !== undefined) return { ...password, block: refusal }
  const stop = stopped(want.stopMode, { because: 'size', target: change.target }, memory)
  return { ...password, ...after(password, stop, [change, { do: 'start' }]) }
}

function after(before: Plan<VmStep>, stop: Plan<VmStep>, rest: readonly VmStep[]): Plan<VmStep> {
  if (stop.wait !== undefined) return before.steps.length === 0 ? stop : before
  return { steps: [...before.steps, ...stop.steps, ...rest] }
}

/** A change of size that was stopped for ends with the machine as it was wanted, whatever became of the change. */
function whileStopped(
  want: WantedVm,
  memory: VmMemory,
  change: Resize | undefined,
  password: Plan<VmStep>,
): Plan<VmStep> {
  const ran = want.powerState === undefined && memory.status?.resize?.wasRunning === true
  const starts = want.powerState === 'Running' || ran
  const refusal = change === undefined ? undefined : refusedBefore(change, memory)
  const barred = starts && refusal !== undefined
  const resize = change === undefined || barred ? [] : [change]
  const block = barred ? { block: refusal } : {}
  if (starts) return { ...password, steps: [...resize, { do: 'start' }, ...password.steps], ...block }
  const pending = password.steps.length > 0 ? START_REQUIRED : password.pending
  return { steps: resize, ...(pending !== undefined && { pending }) }
}

const START_REQUIRED: Pending = {
  reason: 'StartRequired',
  message:
    'spec.passwordSecretRef: a password can only be set while the virtual machine runs; it is set once it is started',
}

/** The sizes that certainly differ; undefined: none. */
export function sizeChange(want: WantedVm, seen: SeenVm): Resize | undefined {
  const cpus = want.vcpus !== undefined && differs(want.vcpus, seen.vcpus)
  const memory = want.memoryMiB !== undefined && differs(want.memoryMiB, seen.memoryMiB)
  if (!cpus && !memory) return undefined
  const target = {
    vcpus: want.vcpus ?? seen.vcpus ?? 0,
    memoryMiB: want.memoryMiB ?? seen.memoryMiB ?? 0,
  }
  return {
    do: 'resize',
    ...(cpus && { vcpus: target.vcpus }),
    ...(memory && { memoryMiB: target.memoryMiB }),
    target,
  }
}

/** Whether the machine certainly has the sizes that are wished. */
export function sizeIsRight(want: WantedVm, seen: SeenVm): boolean {
  const cpus = want.vcpus === undefined || want.vcpus === seen.vcpus
  return cpus && (want.memoryMiB === undefined || want.memoryMiB === seen.memoryMiB)
}

const QUOTA = /quota|limit|insufficient|not enough|exceed/i

function refusedBefore({ target }: Resize, memory: VmMemory): Block | undefined {
  const resize = memory.status?.resize
  if (resize?.refused === undefined) return undefined
  if (resize.target.vcpus !== target.vcpus || resize.target.memoryMiB !== target.memoryMiB) return undefined
  const reason = QUOTA.test(resize.refused) ? 'QuotaExceeded' : 'InvalidSpec'
  const message = `the service did not give the virtual machine ${target.vcpus} CPUs and ${target.memoryMiB} MiB: "${resize.refused}"; it is not stopped for this size again: set another size, or set the old one back first to have it tried once more`
  return { reason, message }
}

function passwordPlan(want: WantedVm, seen: SeenVm, memory: VmMemory): Plan<VmStep> {
  const { password } = want
  if (password === undefined) return { steps: [] }
  const applied = seen.passwordSet ?? memory.status?.passwordApplied
  const { operations = [], uid: secretUID, version: secretVersion } = password
  const same = applied?.secretUID === secretUID && applied.secretVersion === secretVersion
  if (same && operations.every((uid) => applied.operations?.includes(uid))) return { steps: [] }
  const username = want.username ?? seen.username
  if (username !== undefined) {
    const after = operations.length === 0 ? {} : { operations }
    return { steps: [{ do: 'setPassword', username, secretUID, secretVersion, ...after }] }
  }
  const message =
    'spec.passwordSecretRef: the service does not show the name of the user, so no password can be set; set it inside the guest and remove passwordSecretRef'
  return { steps: [], pending: { reason: 'Unsupported', message } }
}

/** The step that stops, in the way the mode and an earlier attempt allow. */
function stopped(mode: StopMode, why: Omit<Stop, 'mode'>, memory: VmMemory): Plan<VmStep> {
  const graceful = memory.overdue === 'stop' && mode === 'Graceful' && why.because !== 'deletion'
  if (!graceful) return { steps: [stopping(mode, why, memory.overdue)] }
  return waiting(
    'WaitingForCloud',
    'the guest was asked to shut down and still runs after spec.stop.timeoutSeconds; shut it down from inside, or set spec.stop.mode: GracefulThenForce to have its power cut',
  )
}

/** A power cut that has shown no effect in its time is repeated: it can do no more harm than the first. */
function stopping(mode: StopMode, why: Omit<Stop, 'mode'>, overdue?: string): VmStep {
  const force = mode === 'Force' || overdue === 'stop' || overdue === 'forceStop'
  return { do: force ? 'forceStop' : 'stop', ...why, mode }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What the service cannot change later. A pool's name can change, so only a uuid proves a difference. */
function frozenDifference(want: WantedVm, seen: SeenVm): Block | undefined {
  if (want.billingAccount !== undefined && differs(want.billingAccount, seen.billingAccount)) {
    const message = `spec.billingAccount: the virtual machine is charged to billing account ${seen.billingAccount ?? ''}, and the service cannot move it to ${want.billingAccount}; make a new CloudVM, or one that says ${seen.billingAccount ?? ''}`
    return { reason: 'ReplacementRequired', message }
  }
  if (
    want.pool !== undefined &&
    UUID.test(want.pool) &&
    differs(want.pool.toLowerCase(), seen.poolID?.toLowerCase())
  ) {
    const message = `spec.pool: the virtual machine is in pool ${seen.poolName ?? seen.poolID ?? ''}, and the service cannot move it to ${want.pool}; make a new CloudVM`
    return { reason: 'ReplacementRequired', message }
  }
  return undefined
}

function shrinking(want: WantedVm, seen: SeenVm): Pending | undefined {
  const size = bootDiskOf(seen)?.sizeGiB
  if (size === undefined || want.bootDiskGiB === undefined || want.bootDiskGiB >= size) return undefined
  const message = `spec.bootDisk.sizeGiB: the boot disk has ${size} GiB and a disk can only grow; set at least ${size}`
  return { reason: 'Unsupported', message }
}

export function bootDiskOf(seen: SeenVm): NonNullable<SeenVm['storage']>[number] | undefined {
  return seen.storage?.find((each) => each.primary === true)
}

/** An absent field is unknown, never different. */
function differs<T>(wanted: T, seen: T | undefined): boolean {
  return seen !== undefined && seen !== wanted
}

/** Deleting a machine can destroy the data disks attached to it: each is detached before. */
export function planVmGone(seen: SeenVm, memory: VmMemory, mode: StopMode): Plan<VmStep> {
  if (seen.power === 'between') return inBetween(seen)
  if (seen.power === undefined)
    return waiting('WaitingForCloud', 'the service does not show whether the virtual machine runs')
  const stop = seen.power === 'running' ? stopped(mode, { because: 'deletion' }, memory).steps : []
  const boot = seen.storage === undefined ? undefined : ownDisks(seen.storage, memory)
  if (seen.storage === undefined || boot === undefined) {
    return waiting(
      'WaitingForCloud',
      'the service does not show which disks the virtual machine has and which one it boots from: it is not deleted, because disks attached to it could be destroyed with it; if it stays so, delete the machine in the console, or set spec.lifecycle.onDelete: Retain here to leave it',
    )
  }
  const foreign = seen.storage.filter((each) => !boot.has(each.uuid))
  return {
    steps: [
      ...stop,
      ...foreign.map((each): VmStep => ({ do: 'detachDisk', diskID: each.uuid })),
      { do: 'delete' },
    ],
  }
}

/** The disks that go with the machine: the one primary disk; undefined when it cannot be told. */
function ownDisks(
  storage: NonNullable<SeenVm['storage']>,
  memory: VmMemory,
): ReadonlySet<string> | undefined {
  const primary = storage.filter((each) => each.primary === true)
  const ids = new Set(primary.map((each) => each.uuid))
  if (ids.size === 1) return ids
  // Several: one of them may be somebody's data.
  if (ids.size > 1) return undefined
  const recorded = memory.status?.disks?.find((each) => each.primary === true)?.id
  const known = storage.find((each) => each.uuid === recorded && each.primary === undefined)
  return known === undefined ? undefined : new Set([known.uuid])
}
