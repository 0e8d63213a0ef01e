/** Outcomes of changes in the cloud, as classes: the columns of the table, and which of them a call really came to. */
import type { CallEntry, History } from './history.ts'
import { entriesOf } from './history.ts'
import type { AnswerTrouble, Trouble } from './plan.ts'

type Answered = Extract<Trouble, { answer: unknown }>
type Effect = 'never' | 'once' | 'later'

/** What the caller sees, and whether the change happens: never, at once, or later. */
export const OUTCOMES = [
  'not sent never',
  'refused never',
  'refused once',
  'busy never',
  'busy once',
  'reset never',
  'reset once',
  'reset later',
  'hang never',
  'hang once',
  'hang later',
  '5xx never',
  '5xx once',
  '5xx later',
  'garbled once',
  'redirect never',
  'done once',
] as const

export type Outcome = (typeof OUTCOMES)[number]

/** Cells that stand for nothing that can be, each with its reason. */
export const SENSELESS: readonly {
  readonly endpoint: string
  readonly outcome: Outcome
  readonly because: string
}[] = [
  {
    endpoint: 'PUT /storage/bucket',
    outcome: 'busy once',
    because: 'a 409 to it says that the name is taken: it is refused, and not made',
  },
]

/** The class that a trouble is to bring about; undefined: none of the table. */
export function outcomeOf(trouble: Answered, endpoint: string): Outcome | undefined {
  const effect: Effect = trouble.effect === 'never' ? 'never' : trouble.effect === 'done' ? 'once' : 'later'
  const outcome = `${wordFor(trouble.answer, endpoint)} ${effect}`
  return OUTCOMES.find((each) => each === outcome)
}

function wordFor(answer: AnswerTrouble, endpoint: string): string {
  if (typeof answer === 'object') return classOf(answer.status, endpoint)
  switch (answer) {
    case 'notSent':
      return 'not sent'
    case 'truncated':
    case 'wrongShape':
    case 'html':
      return 'garbled'
    case 'reset':
    case 'hang':
    case 'redirect':
      return answer
  }
}

function classOf(status: number, endpoint: string): string {
  if (status >= 500 || status === 408) return '5xx'
  const busy = [409, 425, 429].includes(status)
  return busy && !(status === 409 && endpoint === 'PUT /storage/bucket') ? 'busy' : 'refused'
}

/** What each change of a run came to: endpoint and class. Only what really was so counts. */
export function outcomesIn(history: History): readonly (readonly [endpoint: string, outcome: Outcome])[] {
  return entriesOf(history, 'call')
    .filter(({ mutation }) => mutation)
    .flatMap((call) => {
      const outcome = outcomeIn(call)
      return outcome === undefined ? [] : [[call.label, outcome] as const]
    })
}

function outcomeIn(call: CallEntry): Outcome | undefined {
  const trouble = call.met?.find((each): each is Answered => 'answer' in each)
  if (trouble === undefined) return isSuccess(call.seen) ? 'done once' : undefined
  // The process may have died, or the call may have been stopped, before any of it came true.
  const happened = trouble.effect === 'never' ? call.doneAt === undefined : call.doneAt !== undefined
  return happened && call.seen === seenAs(trouble.answer) ? outcomeOf(trouble, call.label) : undefined
}

function isSuccess(seen: CallEntry['seen']): boolean {
  return typeof seen === 'number' && seen >= 200 && seen < 300
}

/** What the process sees of an answer gone wrong. */
function seenAs(answer: AnswerTrouble): CallEntry['seen'] {
  if (typeof answer === 'object') return answer.status
  switch (answer) {
    case 'notSent':
      return 'notSent'
    case 'reset':
    case 'truncated':
      return 'broken'
    case 'hang':
      return 'nothing'
    case 'redirect':
      return 302
    case 'wrongShape':
    case 'html':
      return 200
  }
}
