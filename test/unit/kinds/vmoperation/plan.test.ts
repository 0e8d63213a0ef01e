/** What comes next in an operation on a machine, by what was sent and what the cloud shows. */
import { describe, expect, test } from 'vitest'
import {
  isOver,
  nextOf,
  type Machine,
  type Next,
  type Progress,
} from '../../../../src/kinds/vmoperation/plan.ts'

const SETTLE_MS = 900_000
const on: Machine = { is: 'running' }
const off: Machine = { is: 'stopped' }
const between: Machine = { is: 'between', word: 'stopping' }
const missing: Machine = { is: 'missing' }
const lost: Machine = { is: 'lost', message: 'CloudVM web is being deleted' }

const restart = { do: 'restart' } as const
const rescue = { do: 'rescueStart' } as const
const reinstall = { do: 'reinstall', image: { os: 'debian', version: '12' } } as const
const rebuild = { do: 'rebuild', replica: 'r', snapshot: 'nightly' } as const

const answered = (verb: string, ageMs = 0) => ({ verb, answered: true, ageMs })
const unclear = (verb: string, ageMs = SETTLE_MS) => ({ verb, answered: false, ageMs })

function next(purpose: Progress['purpose'], machine: Machine, more: Partial<Progress> = {}): Next {
  return nextOf({
    purpose,
    machine,
    stop: { mode: 'Graceful', timeoutMs: 300_000 },
    sent: [],
    open: undefined,
    refused: undefined,
    settleMs: SETTLE_MS,
    ...more,
  })
}

/** A call's verb, `wait`, or how it ends. */
function inShort(what: Next): string {
  if (what.is === 'step') return what.step.do
  if (what.is === 'wait') return 'wait'
  return what.verdict.is === 'complete' ? 'Complete' : `${what.verdict.ended ?? ''} ${what.verdict.reason}`
}

const UNKNOWN = 'OutcomeUnknown OutcomeUnknown'
const LEFT = 'Failed ReferenceInvalid'
const refused = { reason: 'InvalidSpec', message: 'no' }
const stop = ['stop']
const force = { mode: 'GracefulThenForce', timeoutMs: 300_000 } as const

const rows: readonly (readonly [
  sentence: string,
  purpose: Progress['purpose'],
  machine: Machine,
  expected: string,
  more?: Partial<Progress>,
])[] = [
  ['a restart stops a machine that runs', restart, on, 'stop'],
  [
    '… by cutting its power where the CloudVM says so',
    restart,
    on,
    'forceStop',
    { stop: { ...force, mode: 'Force' } },
  ],
  ['a restart starts a machine that is off', restart, off, 'start'],
  ['… and is done once it runs', restart, on, 'Complete', { sent: ['start'] }],
  ['nothing is sent into a transition', restart, between, 'wait'],
  ['a stop that was taken is waited for', restart, on, 'wait', { sent: stop, open: answered('stop') }],
  ['… for as long as it takes', restart, on, 'wait', { sent: stop, open: answered('stop', SETTLE_MS * 9) }],
  [
    '… or until the time-out',
    restart,
    on,
    'forceStop',
    { sent: stop, open: answered('stop', 300_000), stop: force },
  ],
  ['… not before it', restart, on, 'wait', { sent: stop, open: answered('stop', 299_999), stop: force }],
  [
    'the power is cut once',
    restart,
    on,
    'wait',
    { sent: ['stop', 'forceStop'], open: answered('forceStop', 300_000), stop: force },
  ],
  [
    '… and what becomes of that is not waited for for ever',
    restart,
    on,
    UNKNOWN,
    { sent: ['stop', 'forceStop'], open: answered('forceStop', SETTLE_MS), stop: force },
  ],
  ['a machine that was stopped is started', restart, off, 'start', { sent: stop }],
  ['… and then the restart is done', restart, on, 'Complete', { sent: stop }],
  [
    'a stop without an answer may still arrive',
    restart,
    on,
    'wait',
    { sent: stop, open: unclear('stop', 1) },
  ],
  ['… and is not sent again', restart, on, UNKNOWN, { sent: stop, open: unclear('stop') }],
  ['… nor forced', restart, on, UNKNOWN, { sent: stop, open: unclear('stop'), stop: force }],
  [
    '… and does not end the restart while the machine may be off',
    restart,
    between,
    'wait',
    { sent: stop, open: unclear('stop') },
  ],
  ['a refused stop fails it', restart, on, 'Failed InvalidSpec', { sent: stop, refused }],
  ['… only once the machine runs', restart, off, 'start', { sent: stop, refused }],

  ['a rescue begins with a stop', rescue, on, 'stop'],
  ['… unless the machine is off', rescue, off, 'rescueStart'],
  ['… and goes on with the rescue system', rescue, off, 'rescueStart', { sent: stop }],
  ['a machine that somebody started meanwhile is not stopped twice', rescue, on, LEFT, { sent: stop }],
  [
    'a rescue is done once the machine runs',
    rescue,
    on,
    'Complete',
    { sent: ['stop', 'rescueStart'], open: answered('rescueStart') },
  ],
  ['… and waits for that', rescue, off, 'wait', { sent: ['rescueStart'], open: answered('rescueStart') }],
  [
    'without an answer, what a running machine runs is not known',
    rescue,
    on,
    UNKNOWN,
    { sent: ['rescueStart'], open: unclear('rescueStart') },
  ],
  [
    '… and one that was stopped for it is started',
    rescue,
    off,
    'start',
    { sent: ['stop', 'rescueStart'], open: unclear('rescueStart') },
  ],
  [
    '… while one that was off stays off',
    rescue,
    off,
    UNKNOWN,
    { sent: ['rescueStart'], open: unclear('rescueStart') },
  ],
  [
    '… and nothing is done before the settle time',
    rescue,
    off,
    'wait',
    { sent: ['stop', 'rescueStart'], open: unclear('rescueStart', 1) },
  ],
  [
    'a refused rescue starts the machine that was stopped for it',
    rescue,
    off,
    'start',
    { sent: ['stop', 'rescueStart'], refused },
  ],
  ['… and then fails', rescue, on, 'Failed InvalidSpec', { sent: ['stop', 'rescueStart'], refused }],
  ['… at once where it was off', rescue, off, 'Failed InvalidSpec', { sent: ['rescueStart'], refused }],

  ['a reinstall takes a machine that runs', reinstall, on, 'reinstall'],
  ['… or is off', reinstall, off, 'reinstall'],
  [
    '… and is done once it was answered',
    reinstall,
    on,
    'Complete',
    { sent: ['reinstall'], open: answered('reinstall') },
  ],
  ['… and is over', reinstall, between, 'wait', { sent: ['reinstall'], open: answered('reinstall') }],
  [
    'one without an answer is never sent again',
    reinstall,
    on,
    UNKNOWN,
    { sent: ['reinstall'], open: unclear('reinstall') },
  ],
  [
    '… whatever the machine is doing',
    reinstall,
    between,
    UNKNOWN,
    { sent: ['reinstall'], open: unclear('reinstall') },
  ],
  [
    '… even if it cannot be found',
    reinstall,
    missing,
    UNKNOWN,
    { sent: ['reinstall'], open: unclear('reinstall') },
  ],
  ['… nor one whose record of the result is gone', reinstall, on, UNKNOWN, { sent: ['reinstall'] }],
  ['a refused one fails', reinstall, on, 'Failed InvalidSpec', { sent: ['reinstall'], refused }],
  ['a rebuild takes a machine that runs', rebuild, on, 'rebuild'],
  [
    '… and is done once it was answered',
    rebuild,
    off,
    'Complete',
    { sent: ['rebuild'], open: answered('rebuild') },
  ],

  ['a machine that one read does not find is looked for again', restart, missing, 'wait'],
  ['a machine that goes ends what was to be done', restart, lost, LEFT, { sent: stop }],
  ['… also while a guest shuts down', restart, lost, LEFT, { sent: stop, open: answered('stop') }],
  [
    '… once nothing is under way any more',
    rebuild,
    lost,
    'wait',
    { sent: ['rebuild'], open: unclear('rebuild', 1) },
  ],
  [
    '… and what is not known stays so',
    rebuild,
    lost,
    UNKNOWN,
    { sent: ['rebuild'], open: unclear('rebuild') },
  ],
]

describe('what comes next', () => {
  for (const [sentence, purpose, machine, expected, more] of rows) {
    test(sentence, () => {
      expect(inShort(next(purpose, machine, more))).toBe(expected)
    })
  }

  test('steps carry what their calls take', () => {
    expect(next(reinstall, on)).toEqual({ is: 'step', step: reinstall })
    expect(next(rebuild, on)).toEqual({ is: 'step', step: rebuild })
  })
})

/** Every way there is: a call that destroys, or that stops, is never the next one when it is on record already. */
test('nothing that was sent is sent again', () => {
  const verbs = ['stop', 'forceStop', 'rescueStart', 'reinstall', 'rebuild']
  const sets = verbs.reduce<string[][]>((all, verb) => [...all, ...all.map((each) => [...each, verb])], [[]])
  const opens = [
    undefined,
    ...verbs.flatMap((verb) => [answered(verb), answered(verb, SETTLE_MS * 2), unclear(verb)]),
  ]
  let checked = 0
  for (const purpose of [restart, rescue, reinstall, rebuild]) {
    for (const machine of [on, off, between, missing, lost]) {
      for (const mode of ['Graceful', 'GracefulThenForce', 'Force'] as const) {
        for (const sent of sets) {
          for (const open of opens.filter((each) => each === undefined || sent.includes(each.verb))) {
            const what = next(purpose, machine, { sent, open, stop: { mode, timeoutMs: 300_000 } })
            checked++
            if (what.is === 'step' && what.step.do !== 'start') expect(sent).not.toContain(what.step.do)
          }
        }
      }
    }
  }
  expect(checked).toBeGreaterThan(10_000)
})

test('the effect of a stop is seen; that of other calls no read shows', () => {
  expect(isOver({ verb: 'stop' }, off)).toBe(true)
  expect(isOver({ verb: 'forceStop' }, off)).toBe(true)
  expect(isOver({ verb: 'stop' }, between)).toBe(false)
  expect(isOver({ verb: 'reinstall' }, off)).toBe(false)
  expect(isOver(undefined, off)).toBe(false)
})
