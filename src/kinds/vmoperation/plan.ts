/**
 * Decides what comes next in an operation on a machine: at most one call, a wait, or the end. Pure.
 * Nothing that was sent is sent again, and a machine that was stopped here is started again, whatever else became of it.
 */
import type { VmOperationStatus } from '../../api/vmoperation.ts'
import type { FixReason } from '../../api/group.ts'
import type { Verdict } from '../../reconcile/conditions.ts'
import type { OperationStep, StopMode } from './steps.ts'

export interface Progress {
  readonly purpose: Purpose
  readonly stop: { readonly mode: StopMode; readonly timeoutMs: number }
  /** Verbs sent so far, the open one included. */
  readonly sent: readonly string[]
  /** A call whose effect has not been seen. `answered`: the service accepted it. */
  readonly open: { readonly verb: string; readonly answered: boolean; readonly ageMs: number } | undefined
  readonly refused: VmOperationStatus['refused']
  readonly machine: Machine
  readonly settleMs: number
}

/** What the operation is for: a restart, or the one call it makes. */
export type Purpose =
  { readonly do: 'restart' } | Extract<OperationStep, { do: 'rescueStart' | 'reinstall' | 'rebuild' }>

export type Machine =
  | { readonly is: 'running' | 'stopped' }
  /** `word`: the service's own for a state between the two; undefined: none was shown. */
  | { readonly is: 'between'; readonly word: string | undefined }
  /** One read did not find it. */
  | { readonly is: 'missing' }
  /** It is being deleted, or is certainly gone. */
  | { readonly is: 'lost'; readonly message: string }

export type Next =
  | { readonly is: 'step'; readonly step: OperationStep }
  | { readonly is: 'wait'; readonly message: string }
  | { readonly is: 'end'; readonly verdict: Extract<Verdict, { is: 'complete' | 'stalled' }> }

const STOPS: readonly string[] = ['stop', 'forceStop']

/** What comes next in an operation that may begin or has begun. */
export function nextOf(progress: Progress): Next {
  const { machine, open, settleMs } = progress
  const unclear = open?.answered === false
  if (unclear && open.ageMs < settleMs) return wait(UNCLEAR(open.verb))
  switch (machine.is) {
    case 'lost':
      return unclear ? unknown(progress) : failed('ReferenceInvalid', machine.message)
    case 'missing':
      return unclear && !mustRun(progress) ? unknown(progress) : wait(MISSING)
    case 'between':
      return unclear && !mustRun(progress) ? unknown(progress) : wait(between(machine.word))
    case 'running':
    case 'stopped':
      return open === undefined ? idle(progress, machine.is) : opened(progress, open, machine.is)
  }
}

/**
 * What is left to do for an operation whose object is deleted on the way; undefined: nothing. What it is for is not done any
 * more, and a machine that was stopped for it is started.
 */
export function partingOf(progress: Progress): Exclude<Next, { is: 'end' }> | undefined {
  const next = nextOf(progress)
  if (next.is === 'wait') return progress.open === undefined ? undefined : next
  const isOff = next.is === 'step' && (next.step.do === 'start' || next.step.do === 'rescueStart')
  return isOff ? { is: 'step', step: { do: 'start' } } : undefined
}

/** Whether the effect of an open stop is seen: then nothing is open any more. */
export function isOver(open: { readonly verb: string } | undefined, machine: Machine): boolean {
  return open !== undefined && STOPS.includes(open.verb) && machine.is === 'stopped'
}

/** The machine was stopped for this, or is to be restarted: it must not be left off. */
function mustRun({ purpose, sent }: Progress): boolean {
  return purpose.do === 'restart' || STOPS.some((verb) => sent.includes(verb))
}

/** Something is open: a stop that has shown no effect, or a call whose effect no read can show. */
function opened(progress: Progress, open: NonNullable<Progress['open']>, power: 'running' | 'stopped'): Next {
  if (STOPS.includes(open.verb)) return open.answered ? askedToStop(progress, open) : unknown(progress)
  if (open.verb !== 'rescueStart') return open.answered ? complete(progress) : unknown(progress)
  if (power === 'running') return open.answered ? complete(progress) : unknown(progress)
  if (open.ageMs < progress.settleMs) return wait('waiting until the rescue system runs')
  return mustRun(progress) ? { is: 'step', step: { do: 'start' } } : unknown(progress)
}

/** The service took the stop, and the machine runs. */
function askedToStop(
  { stop, sent, settleMs, ...rest }: Progress,
  open: { verb: string; ageMs: number },
): Next {
  if (open.verb === 'forceStop') {
    const waits = open.ageMs < Math.max(stop.timeoutMs, settleMs)
    return waits ? wait('waiting until the power is cut') : unknown({ stop, sent, settleMs, ...rest })
  }
  if (open.ageMs < stop.timeoutMs) return wait('waiting until the guest has shut down')
  if (stop.mode !== 'Graceful' && !sent.includes('forceStop'))
    return { is: 'step', step: { do: 'forceStop' } }
  return wait(
    'the guest was asked to shut down and still runs after spec.stop.timeoutSeconds of the CloudVM; shut it down from inside, set spec.stop.mode: GracefulThenForce there to have its power cut, or delete this object to give up',
  )
}

/** Nothing is open. */
function idle(progress: Progress, power: 'running' | 'stopped'): Next {
  const { purpose, refused, sent } = progress
  const stopped = STOPS.some((verb) => sent.includes(verb))
  const start: Next = { is: 'step', step: { do: 'start' } }
  if (refused !== undefined) {
    if (stopped && power === 'stopped') return start
    return failed(refused.reason as FixReason, refused.message)
  }
  if (purpose.do === 'restart') {
    if (power === 'stopped') return start
    return sent.length > 0 ? complete(progress) : stopping(progress)
  }
  // Sent, and how it ended was taken out of the status by somebody.
  if (sent.includes(purpose.do)) return stopped && power === 'stopped' ? start : unknown(progress)
  if (purpose.do !== 'rescueStart' || power === 'stopped') return { is: 'step', step: purpose }
  return stopped ? failed('ReferenceInvalid', STARTED_BY_OTHERS) : stopping(progress)
}

function stopping({ stop }: Progress): Next {
  return { is: 'step', step: { do: stop.mode === 'Force' ? 'forceStop' : 'stop' } }
}

function wait(message: string): Next {
  return { is: 'wait', message }
}

function between(word: string | undefined): string {
  if (word === undefined) return 'the service does not show whether the virtual machine runs'
  return `the virtual machine is ${word}: waiting until it is running or stopped`
}

const MISSING = 'the virtual machine was not found; it is looked for again before anything is concluded'
const UNCLEAR = (verb: string) =>
  `whether the call (${verb}) was carried out is not known; it is found out by reading until the settle time is over, and never sent again`
const STARTED_BY_OTHERS =
  'somebody started the virtual machine after it was stopped for the rescue system; it is not stopped a second time: make a new CloudVMOperation'

/** Ends it as failed. */
export function failed(reason: FixReason, message: string): Extract<Next, { is: 'end' }> {
  return { is: 'end', verdict: { is: 'stalled', reason, message, ended: 'Failed' } }
}

const UNKNOWN = {
  restart:
    'a stop was sent and its result is not known; whether the virtual machine was restarted cannot be told, and it is not stopped again',
  rescueStart:
    'the start of the rescue system was sent and its result is not known; whether the virtual machine runs it cannot be told, and it is not sent again',
  reinstall:
    'the reinstallation was sent and its result is not known; whether the boot disk holds the new system cannot be told, and it is not sent again',
  rebuild:
    'the rebuild was sent and its result is not known; whether the boot disk was put back cannot be told, and it is not sent again',
} as const

function unknown({ purpose }: Progress): Next {
  const message = `${UNKNOWN[purpose.do]}: look at the virtual machine, and make a new CloudVMOperation if it is still to be done`
  return { is: 'end', verdict: { is: 'stalled', reason: 'OutcomeUnknown', message, ended: 'OutcomeUnknown' } }
}

/** Only its finalizer still says that it has ended. */
export const recordLost: Extract<Next, { is: 'end' }> = {
  is: 'end',
  verdict: {
    is: 'stalled',
    reason: 'OutcomeUnknown',
    message:
      'this operation has begun before, or is a copy of one that has, and how it ended is not on record here; it is not done again: make a new CloudVMOperation if it is still to be done',
    ended: 'OutcomeUnknown',
  },
}

function complete({ purpose, sent }: Progress): Next {
  return { is: 'end', verdict: { is: 'complete', message: done(purpose, sent) } }
}

function done(purpose: Purpose, sent: readonly string[]): string {
  switch (purpose.do) {
    case 'restart':
      return sent.includes('start')
        ? 'The virtual machine was off; it was started and runs.'
        : 'The virtual machine was stopped and started; it runs.'
    case 'rescueStart':
      return 'The virtual machine runs the rescue system; its next start is a normal one.'
    case 'reinstall':
      return 'The operating system was installed anew.'
    case 'rebuild':
      return `The boot disk was put back to CloudSnapshot ${purpose.snapshot}.`
  }
}
