/** Where a walk of an operation on a machine may end: a closed list, as in ends.ts. */
import { SETTLE, type Doing } from './kinds/vmoperation.ts'

export interface OperationEnd {
  readonly as: 'complete' | 'stalled' | 'wait' | 'released'
  readonly reason?: string
  readonly says?: string
  readonly when: (end: Doing, start: Doing) => boolean
  readonly why: string
}

/** A machine that was stopped here runs, or is on its way to. */
function runsAgain({ stoppedHere, power }: Doing): boolean {
  return !stoppedHere || power === 'running' || power === 'starting' || isAway(power)
}

function isAway(power: Doing['power']): boolean {
  return power === 'missing' || power === 'lost' || power === 'migrating'
}

/** Read for until the settle time was over, or not on record at all, or answered without an effect. */
function isUnknown({ open, power }: Doing): boolean {
  if (open === undefined) return true
  const shows = open.verb !== 'rescueStart' || power === 'running'
  return open.answered ? STOPS.includes(open.verb) || !shows : open.age >= SETTLE
}
const STOPS = ['stop', 'forceStop']

const wasSent = (doing: Doing, ...verbs: string[]) =>
  verbs.some((verb) => doing.sent?.includes(verb) === true)

export const operationEnds: readonly OperationEnd[] = [
  {
    as: 'complete',
    when: (end) =>
      !end.refused &&
      runsAgain(end) &&
      (end.purpose.do === 'restart'
        ? end.power === 'running' && wasSent(end, 'stop', 'forceStop', 'start')
        : wasSent(end, end.purpose.do) && end.open?.answered === true),
    why: 'What it is for was done and answered, and the machine runs if it was stopped for that.',
  },
  {
    as: 'stalled',
    reason: 'QuotaExceeded',
    when: (end) => end.refused && runsAgain(end),
    why: 'The service refused the call; a machine that was stopped for it runs again.',
  },
  {
    as: 'stalled',
    reason: 'OutcomeUnknown',
    when: (end) => end.sent !== undefined && isUnknown(end) && runsAgain(end),
    why: 'A call was never answered, or shows nothing: what became of it a person sees, and it is not sent again.',
  },
  {
    as: 'stalled',
    reason: 'ReferenceInvalid',
    says: 'being deleted',
    when: ({ power }) => power === 'lost',
    why: 'The machine is gone or goes: nothing can be done to it any more.',
  },
  {
    as: 'stalled',
    reason: 'ReferenceInvalid',
    says: 'somebody started',
    when: (end) =>
      end.purpose.do === 'rescueStart' && end.power === 'running' && wasSent(end, 'stop', 'forceStop'),
    why: 'A machine that somebody started in between is not stopped a second time.',
  },
  {
    as: 'wait',
    says: 'was not found',
    when: ({ power }) => power === 'missing',
    why: 'One read that does not find it proves nothing; its CloudVM will say that it is gone.',
  },
  {
    as: 'wait',
    says: 'waiting until it is running or stopped',
    when: ({ power }) => power === 'migrating',
    why: 'Nothing is sent into a transition; only the service ends it.',
  },
  {
    as: 'wait',
    says: 'the guest was asked to shut down',
    when: ({ mode, power }) => mode === 'Graceful' && power === 'running',
    why: 'The guest does not shut down, and its CloudVM does not allow to cut its power.',
  },
  {
    as: 'released',
    when: (end, start) => runsAgain(end) || isAway(start.power),
    why: 'The object goes: what was open was waited for no longer than the settle time, and a machine that was stopped here was started.',
  },
]
