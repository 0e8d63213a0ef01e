/** How far an operation can be, and what it can meet. */
import type { Purpose } from '../../../src/kinds/vmoperation/plan.ts'
import { product } from '../product.ts'
import { SETTLE, type Doing, type Open, type Outcome, type Power } from './vmoperation.ts'

const PURPOSES: readonly Purpose[] = [
  { do: 'restart' },
  { do: 'rescueStart' },
  { do: 'reinstall' },
  { do: 'rebuild', replica: 'replica', snapshot: 'before' },
]

/** What is on record: verbs sent, and the last of them still open or not. */
const RECORDS: readonly { readonly sent: readonly string[] | undefined; readonly open: boolean }[] = [
  { sent: undefined, open: false },
  { sent: ['stop'], open: true },
  { sent: ['stop'], open: false },
  { sent: ['forceStop'], open: true },
  { sent: ['forceStop'], open: false },
  { sent: ['stop', 'forceStop'], open: true },
  { sent: ['stop', 'forceStop'], open: false },
  { sent: ['start'], open: false },
  { sent: ['rescueStart'], open: true },
  { sent: ['rescueStart'], open: false },
  { sent: ['stop', 'rescueStart'], open: true },
  { sent: ['stop', 'rescueStart'], open: false },
  { sent: ['stop', 'forceStop', 'rescueStart'], open: true },
  { sent: ['reinstall'], open: true },
  { sent: ['reinstall'], open: false },
  { sent: ['rebuild'], open: true },
  { sent: ['rebuild'], open: false },
]

const VERBS: Readonly<Record<Purpose['do'], readonly string[]>> = {
  restart: ['stop', 'forceStop', 'start'],
  rescueStart: ['stop', 'forceStop', 'rescueStart'],
  reinstall: ['reinstall'],
  rebuild: ['rebuild'],
}

const POWERS: readonly Power[] = [
  'running',
  'stopped',
  'starting',
  'stopping',
  'migrating',
  'missing',
  'lost',
]
const OUTCOMES: readonly Outcome[] = ['done', 'slow', 'ignored', 'unclear done', 'unclear lost', 'refused']

/** Every state an operation is walked from. */
export function* operationStates(): Generator<Doing> {
  const axes = {
    purpose: PURPOSES,
    record: RECORDS,
    mode: ['Graceful', 'GracefulThenForce', 'Force'],
    timeout: [1, SETTLE + 2],
    power: POWERS,
    answered: [true, false],
    age: [0, SETTLE],
    arrives: [true, false],
    refused: [false, true],
    stop: OUTCOMES,
    call: OUTCOMES,
    start: ['done', 'slow'],
  } as const
  for (const each of product(axes)) {
    if (isPointless(each)) continue
    const { purpose, record, mode, timeout, power, refused } = each
    yield {
      purpose,
      mode,
      timeout,
      power,
      sent: record.sent,
      open: openOf(each),
      refused,
      outcomes: { stop: each.stop, purpose: each.call, start: each.start },
      stoppedHere: power === 'stopped' && !record.open && hasStopped(record.sent),
    }
  }
}

interface Point {
  readonly purpose: Purpose
  readonly record: (typeof RECORDS)[number]
  readonly mode: string
  readonly timeout: number
  readonly power: Power
  readonly answered: boolean
  readonly age: number
  readonly arrives: boolean
  readonly refused: boolean
  readonly stop: Outcome
  readonly call: Outcome
  readonly start: string
}

function hasStopped(sent: readonly string[] | undefined): boolean {
  return sent?.some((verb) => verb === 'stop' || verb === 'forceStop') === true
}

function openOf({ record, answered, age, arrives }: Point): Open | undefined {
  if (!record.open) return undefined
  return { verb: record.sent?.at(-1) ?? '', answered, age, arrives }
}

/** Combinations that cannot be, or that say the same as another one. */
function isPointless(point: Point): boolean {
  const { purpose, record, mode, timeout, answered, age, arrives, refused, stop, call, start, power } = point
  const verbs = VERBS[purpose.do]
  if (record.sent?.some((verb) => !verbs.includes(verb)) === true) return true
  const last = record.sent?.at(-1)
  if (last === 'forceStop' && record.sent?.length === 1 && mode !== 'Force') return true
  if (!record.open && (!answered || age > 0 || arrives)) return true
  if (refused && (record.open || record.sent === undefined)) return true
  // What cannot happen to this purpose, or was sent already, has one outcome.
  const stops = purpose.do === 'restart' || purpose.do === 'rescueStart'
  if (!stops && (stop !== 'done' || mode !== 'Graceful' || timeout !== 1)) return true
  if (hasStopped(record.sent) && last !== 'stop' && stop !== 'done') return true
  const calls = purpose.do !== 'restart' && record.sent?.includes(purpose.do) !== true
  if (!calls && call !== 'done') return true
  if (call === 'ignored' && purpose.do !== 'rescueStart') return true
  if (call === 'slow' && purpose.do !== 'rescueStart') return true
  if (!stops && start !== 'done') return true
  return power !== 'running' && power !== 'stopped' && (stop === 'slow' || start === 'slow')
}
