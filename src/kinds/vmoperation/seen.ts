/** What an operation sees: the machine in the cloud, its CloudVM, and who else is at work on it. Reads only. */
import type { CloudVM, VmStatus } from '../../api/vm.ts'
import type { VmRecord } from '../../cloud/records.ts'
import { parseTime } from '../../loop/clock.ts'
import type { CloudResource, LinkState, Seen } from '../../reconcile/kind.ts'
import { fresh, isPaused, readContext, sessionOf, type Pass } from '../../reconcile/pass.ts'
import { isCopy } from '../../reconcile/references.ts'
import { hasBegun } from '../../reconcile/turn.ts'
import { powerOf, readVm, type Power } from '../../reconcile/vmrecords.ts'
import { SNAPSHOT, VM, type OperationObject } from './links.ts'
import type { Machine } from './plan.ts'

export interface SeenMachine extends Seen {
  readonly power?: Power
  /** The service's own word for the power state. */
  readonly word?: string
}

export function seenMachine(record: VmRecord): SeenMachine {
  const word = record.status
  return { id: record.uuid, ...(word !== undefined && { power: powerOf(word), word }) }
}

/** The machine as an exact read shows it now; undefined: one read did not find it. Throws CloudError. */
async function readMachine(pass: Pass, id: string): Promise<SeenMachine | undefined> {
  const record = await readVm(readContext(pass, fresh(pass)), id)
  return record && seenMachine(record)
}

function machineOf(seen: SeenMachine | undefined): Machine {
  if (seen === undefined) return { is: 'missing' }
  if (seen.power === 'running' || seen.power === 'stopped') return { is: seen.power }
  return { is: 'between', word: seen.word }
}

/** The CloudVM of an operation. `gone`: it can be done to no more; otherwise what has to be waited for. */
export type FoundVm =
  | { readonly is: 'there'; readonly vm: CloudVM; readonly id: string }
  | { readonly is: 'waiting'; readonly message: string }
  | { readonly is: 'gone'; readonly message: string }

/** `id`: of the machine it was begun with. */
export function findVm({ env, object }: Pass, id: string | undefined): FoundVm {
  const { name } = (object as OperationObject).spec.vmRef
  const state = env.references.resolve(object, VM(name))
  if (state.state === 'leaving')
    return { is: 'gone', message: `${VM(name).field}: CloudVM ${name} is being deleted` }
  if (state.state === 'waiting') {
    const vm = env.stores.CloudVM.get(`${object.metadata.namespace}/${name}`) as CloudVM | undefined
    return id === undefined
      ? { is: 'waiting', message: state.message }
      : begunWith(id, name, vm, state.message)
  }
  if (id !== undefined && state.id !== id) return another(id, name, state.id)
  return { is: 'there', vm: state.object, id: state.id }
}

/** Of a CloudVM that nothing new could begin on. One that lost its status may find the machine again. */
function begunWith(id: string, name: string, vm: CloudVM | undefined, message: string): FoundVm {
  const deleted = vm?.status?.conditions?.some((each) => each.reason === 'ExternallyDeleted') === true
  if (vm === undefined || deleted) return { is: 'gone', message }
  const machineID = isCopy(vm) ? undefined : vm.status?.id
  if (machineID === undefined) return { is: 'waiting', message }
  return machineID === id ? { is: 'there', vm, id } : another(id, name, machineID)
}

function another(id: string, name: string, machineID: string): FoundVm {
  const message = `${VM(name).field}: CloudVM ${name} is now another machine (${machineID}) than the one this began with (${id})`
  return { is: 'gone', message }
}

/** Where it is known whether the CloudVM is still that of the machine it was begun with. */
export type KnownVm = Exclude<FoundVm, { is: 'waiting' }>

/** The machine as it is now; not read where it is certainly no longer there for this. Throws CloudError. */
export async function lookAt(
  pass: Pass,
  found: KnownVm,
  id: string,
): Promise<{ readonly machine: Machine; readonly seen: SeenMachine | undefined }> {
  if (found.is === 'gone') return { machine: { is: 'lost', message: found.message }, seen: undefined }
  const seen = await readMachine(pass, id)
  return { machine: machineOf(seen), seen }
}

/** The CloudSnapshot of a rebuild. */
export function findSnapshot({ env, object }: Pass): LinkState | undefined {
  const name = (object as OperationObject).spec.rebuild?.snapshotRef.name
  return name === undefined ? undefined : env.references.resolve(object, SNAPSHOT(name))
}

/** The machine was paused meanwhile, in words: what has begun goes on after it. Undefined: it is not. */
export function pausedVm(pass: Pass, id: string): string | undefined {
  const found = findVm(pass, id)
  return found.is === 'there' && isPaused(found.vm) ? waitsForPause(found.vm) : undefined
}

function waitsForPause({ metadata }: CloudVM): string {
  return `CloudVM ${metadata.name} is paused: nothing is done to it until the annotation is removed`
}

/** What has to end first before anything may begin on the machine, in words; undefined: nothing. */
export function aheadOf(pass: Pass, vm: CloudVM): string | undefined {
  const { name } = vm.metadata
  if (isPaused(vm)) return waitsForPause(vm)
  const open = vm.status?.operation
  if (open !== undefined)
    return `CloudVM ${name} is being changed (${open.verb}); waiting until that is settled`
  if (resizes(vm.status)) return `the size of CloudVM ${name} is being changed; waiting until that is settled`
  const others = pass.env.references
    .referrers(vm)
    .filter(({ metadata }) => metadata.uid !== pass.object.metadata.uid)
  const other = others.find((each) => goesFirst(pass, each))
  if (other === undefined) return undefined
  return `waiting for ${other.kind} ${other.metadata.name}, which is at work on CloudVM ${name}`
}

/** A refused size that the machine no longer waits for to run again is only remembered. */
function resizes(status: VmStatus | undefined): boolean {
  const resize = status?.resize
  return resize !== undefined && (resize.refused === undefined || resize.wasRunning)
}

function goesFirst(pass: Pass, other: CloudResource): boolean {
  if (other.kind === 'CloudVMOperation') return hasBegun(other) || isOlder(pass, other as OperationObject)
  const open = other.status?.operation
  if (open === undefined || !namesMachine(other, open.verb)) return false
  // After the settle time what is still open is a person's to decide.
  const issuedMs = parseTime(open.issuedAt) ?? 0
  return pass.env.clock.now() - issuedMs < sessionOf(pass).settleMs
}

/** The creates of most kinds do not name the machine they are for. */
function namesMachine({ kind }: CloudResource, verb: string): boolean {
  return verb !== 'create' || kind === 'CloudSnapshot' || kind === 'CloudVM'
}

/** An older one that could begin as well: one that a person holds, or that waits for something else, lets others pass. */
function isOlder(pass: Pass, other: OperationObject): boolean {
  const { finishedAt } = other.status ?? {}
  const { deletionTimestamp } = other.metadata
  if (finishedAt !== undefined || deletionTimestamp !== undefined || isPaused(other)) return false
  if (!isBefore(other, pass.object)) return false
  const snapshot = other.spec.rebuild?.snapshotRef.name
  return snapshot === undefined || pass.env.references.resolve(other, SNAPSHOT(snapshot)).state === 'ready'
}

function isBefore(a: CloudResource, b: CloudResource): boolean {
  const order = a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp)
  return order < 0 || (order === 0 && a.metadata.uid < b.metadata.uid)
}
