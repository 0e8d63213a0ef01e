/** No machine is started or stopped but for what its object, or an operation on it, asks for when the call leaves. */
import { isObject, type ModelObject } from '../kube/objects.ts'
import type { CallEntry, History } from '../history.ts'
import { factsOf, namedBy } from './facts.ts'
import { isClone } from './kept.ts'

const START = 'POST /user-resource/vm/start'
const STOP = 'POST /user-resource/vm/stop'
/** A wish that came so shortly before the call could not be seen any more. */
const SEEN_MS = 1_000

export function wished(history: History): string[] {
  return factsOf(history)
    .mutations.filter(({ label }) => label === START || label === STOP)
    .filter(({ seen }) => seen !== 'stopped' && seen !== 'notSent')
    .flatMap((call) => {
      const before = [call.sentAt, call.sentAt - SEEN_MS].map((at) => objectsAt(history, at))
      const owned = before.map((objects) => objects.find((each) => isMachine(each, call)))
      const asked = before.some((objects, index) => isAsked(call, owned[index], objects, history))
      const [machine] = owned
      return machine === undefined || asked
        ? []
        : [
            `${call.label} left for CloudVM ${machine.metadata.name}, whose powerState is ${JSON.stringify(machine.spec?.['powerState'] ?? 'not said')}`,
          ]
    })
}

function isMachine({ kind, status }: ModelObject, call: CallEntry): boolean {
  return kind === 'CloudVM' && namedBy(call).includes(String(status?.['id']))
}

function isAsked(
  call: CallEntry,
  machine: ModelObject | undefined,
  objects: readonly ModelObject[],
  history: History,
): boolean {
  if (machine === undefined) return false
  const wish = machine.spec?.['powerState']
  if (objects.some((each) => isOperationOn(machine, each) && mayBegin(each, wish))) return true
  if (call.label === START) return wish === 'Running' || (wish === undefined && hasStopped(call, history))
  if (wish === 'Stopped' || machine.metadata.deletionTimestamp !== undefined) return true
  return isResized(machine, call, history)
}

/** An operation that has begun and not ended: it may stop the machine, and starts what it stopped. */
function isOperationOn(machine: ModelObject, { kind, spec, status }: ModelObject): boolean {
  const ref = spec?.['vmRef']
  const named = isObject(ref) && ref['name'] === machine.metadata.name
  return kind === 'CloudVMOperation' && named && status?.['finishedAt'] === undefined
}

/** What is to be off is not restarted; only what was stopped for the operation before that was said is started again. */
function mayBegin({ spec = {}, status }: ModelObject, wish: unknown): boolean {
  const sent = status?.['sent']
  const begins = !Array.isArray(sent) || sent.length < 2
  return !(begins && wish === 'Stopped' && ('restart' in spec || 'rescue' in spec))
}

/** A machine of which nobody says whether it is to run is started only by whom it was stopped. */
function hasStopped(start: CallEntry, history: History): boolean {
  const stops = factsOf(history).mutations.filter(({ label }) => label === STOP)
  return stops.some(
    (stop) => stop.sentAt < start.sentAt && namedBy(stop).some((id) => namedBy(start).includes(id)),
  )
}

/** For other sizes: it came with some, the wish was changed, or somebody changed the machine. */
function isResized(machine: ModelObject, call: CallEntry, history: History): boolean {
  if (machine.spec?.['adopt'] !== undefined || isClone(machine)) return true
  const { statesOf, touched } = factsOf(history)
  const sizes = statesOf(machine.metadata.uid)
    .filter(({ at }) => at <= call.sentAt)
    .map(({ after }) => `${String(after?.spec?.['vcpus'])}/${String(after?.spec?.['memoryMiB'])}`)
  return new Set(sizes).size > 1 || namedBy(call).some((id) => touched.has(id))
}

function objectsAt(history: History, at: number): readonly ModelObject[] {
  const { writes, objectAt } = factsOf(history)
  const uids = new Set(
    writes
      .filter(({ kind }) => kind === 'CloudVM' || kind === 'CloudVMOperation')
      .flatMap(({ before, after }) => (after ?? before)?.metadata.uid ?? []),
  )
  return [...uids].flatMap((uid) => objectAt(uid, at) ?? [])
}
