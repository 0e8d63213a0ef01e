/**
 * Operations on a machine as the service carries them out. A state is how far an operation is, what the machine does, and
 * what will become of each call that may still be made; time is counted in units, of which the settle time has a few.
 */
import type { Operation } from '../../../src/api/shared.ts'
import {
  isOver,
  nextOf,
  partingOf,
  type Machine,
  type Progress,
  type Purpose,
} from '../../../src/kinds/vmoperation/plan.ts'
import type { SeenMachine } from '../../../src/kinds/vmoperation/seen.ts'
import {
  operationEffect,
  operationFacts,
  type OperationStep,
  type StopMode,
} from '../../../src/kinds/vmoperation/steps.ts'

export type Power = 'running' | 'stopped' | 'starting' | 'stopping' | 'migrating' | 'missing' | 'lost'

/** done: answered, with its effect. slow: the effect comes a unit later. ignored: answered, and never. unclear: no answer. */
export type Outcome = 'done' | 'slow' | 'ignored' | 'unclear done' | 'unclear lost' | 'refused'

export interface Open {
  readonly verb: string
  readonly answered: boolean
  /** Units. */
  readonly age: number
  /** The effect is still to come. */
  readonly arrives: boolean
}

export interface Doing {
  readonly purpose: Purpose
  readonly mode: StopMode
  /** Units. */
  readonly timeout: number
  readonly power: Power
  readonly sent: readonly string[] | undefined
  readonly open: Open | undefined
  readonly refused: boolean
  /** What becomes of a stop, of the call it is for, and of a start. */
  readonly outcomes: { readonly stop: Outcome; readonly purpose: Outcome; readonly start: 'done' | 'slow' }
  /** This operation has stopped the machine. */
  readonly stoppedHere: boolean
}

/** Units of the settle time. */
export const SETTLE = 3

export interface Planner {
  readonly nextOf: typeof nextOf
  readonly partingOf: typeof partingOf
  readonly isOver: typeof isOver
}
export const REAL: Planner = { nextOf, partingOf, isOver }

function machineOf(power: Power): Machine {
  switch (power) {
    case 'running':
    case 'stopped':
    case 'missing':
      return { is: power }
    case 'lost':
      return { is: 'lost', message: 'CloudVM web is being deleted' }
    default:
      return { is: 'between', word: power }
  }
}

/** How far it is, after what is shown was taken into account. */
export function progressOf(planner: Planner, before: Doing): { doing: Doing; progress: Progress } {
  const machine = machineOf(before.power)
  const doing = planner.isOver(before.open, machine) ? { ...before, open: undefined } : before
  const { purpose, mode, timeout, sent = [], open, refused } = doing
  const progress = {
    purpose,
    stop: { mode, timeoutMs: timeout },
    sent,
    open: open && { verb: open.verb, answered: open.answered, ageMs: open.age },
    refused: refused ? { reason: 'QuotaExceeded', message: 'Quota exceeded' } : undefined,
    machine,
    settleMs: SETTLE,
  }
  return { doing, progress }
}

/** One unit of time. */
export function elapse(doing: Doing): Doing {
  const { open, power } = doing
  const aged = open && { ...open, age: open.age + 1 }
  if (power === 'starting') return { ...doing, open: aged, power: 'running' }
  if (power === 'stopping') return { ...doing, open: aged, power: 'stopped' }
  if (aged?.arrives !== true) return { ...doing, open: aged }
  return { ...effected(doing, aged.verb), open: { ...aged, arrives: false } }
}

function effected(doing: Doing, verb: string): Doing {
  switch (verb) {
    case 'stop':
    case 'forceStop':
      return doing.power === 'running' ? { ...doing, power: 'stopped', stoppedHere: true } : doing
    case 'rescueStart':
      return doing.power === 'stopped' ? { ...doing, power: 'running' } : doing
    default:
      return doing
  }
}

/** The call of a step. */
export function serve(doing: Doing, step: OperationStep): Doing {
  const { outcomes, sent = [] } = doing
  if (step.do === 'start') {
    const power = outcomes.start === 'done' ? 'running' : 'starting'
    return { ...doing, power, sent: doing.sent ?? ['start'] }
  }
  const stops = step.do === 'stop' || step.do === 'forceStop'
  const outcome =
    step.do === 'forceStop' && outcomes.stop === 'ignored' ? 'done' : stops ? outcomes.stop : outcomes.purpose
  const known = { ...doing, sent: [...sent, step.do] }
  const opened = {
    verb: step.do,
    answered: !outcome.startsWith('unclear'),
    age: 0,
    arrives: outcome === 'slow',
  }
  switch (outcome) {
    case 'refused':
      return { ...known, refused: true, open: undefined }
    case 'slow':
    case 'ignored':
    case 'unclear lost':
      return { ...known, open: opened }
    case 'done':
    case 'unclear done':
      return { ...effected(known, step.do), open: opened }
  }
}

export interface Law {
  readonly says: string
  readonly of?: readonly OperationStep['do'][]
  readonly kept: (doing: Doing, step: OperationStep) => boolean
}

const seenAs = (power: Power): SeenMachine => ({
  id: 'vm',
  ...(power !== 'missing' && { power: power === 'running' || power === 'stopped' ? power : 'between' }),
})

export const laws: readonly Law[] = [
  {
    says: 'nothing is sent to a machine that is on its way, missing or lost',
    kept: ({ power }) => power === 'running' || power === 'stopped',
  },
  {
    says: 'a call that is not harmless twice is sent at most once',
    kept: ({ sent = [] }, step) => step.do === 'start' || !sent.includes(step.do),
  },
  {
    says: 'a machine is stopped only while it runs',
    of: ['stop', 'forceStop'],
    kept: ({ power }) => power === 'running',
  },
  {
    says: 'the power is cut only where the CloudVM lets it, and after its time where it is to be asked first',
    of: ['forceStop'],
    kept: ({ mode, open, timeout }) =>
      mode === 'Force' ||
      (mode === 'GracefulThenForce' && open?.verb === 'stop' && open.answered && open.age >= timeout),
  },
  {
    says: 'a machine is stopped only for a restart or a rescue',
    of: ['stop', 'forceStop'],
    kept: ({ purpose }) => purpose.do === 'restart' || purpose.do === 'rescueStart',
  },
  {
    says: 'a machine is started only while it is off, and only if it is to be restarted or was stopped here',
    of: ['start'],
    kept: ({ power, purpose, sent = [] }) =>
      power === 'stopped' &&
      (purpose.do === 'restart' || sent.includes('stop') || sent.includes('forceStop')),
  },
  {
    says: 'the rescue system is started only while the machine is off',
    of: ['rescueStart'],
    kept: ({ power }) => power === 'stopped',
  },
  {
    says: 'only what the operation is for is done, and not once it was refused',
    of: ['rescueStart', 'reinstall', 'rebuild'],
    kept: ({ purpose, refused }, step) => purpose.do === step.do && !refused,
  },
  {
    says: 'every call locks the machine',
    kept: ({ power }, step) => operationFacts(step, seenAs(power)).locks?.includes('vm') === true,
  },
  {
    says: 'what stops a machine says so',
    kept: ({ power }, step) =>
      (operationFacts(step, seenAs(power)).stops === true) !==
      (step.do === 'start' || step.do === 'rescueStart'),
  },
  {
    says: 'everything but a start is of nature oneShot',
    kept: ({ power }, step) =>
      operationFacts(step, seenAs(power)).nature === (step.do === 'start' ? 'set' : 'oneShot'),
  },
  {
    says: 'a stop and the start of the rescue system show their effect, and only after the call',
    of: ['stop', 'forceStop', 'rescueStart'],
    kept: ({ power }, step) => {
      const operation: Operation = { id: 'operation', verb: step.do, issuedAt: '' }
      const after = step.do === 'rescueStart' ? 'running' : 'stopped'
      return !operationEffect(operation, seenAs(power)) && operationEffect(operation, seenAs(after))
    },
  },
]
