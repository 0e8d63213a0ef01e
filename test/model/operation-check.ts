/** The check of operations on machines: they have no cloud object of their own, so that their walk is one of its own too. */
import type { Checked, Fault } from './check.ts'
import {
  SETTLE,
  elapse,
  laws,
  progressOf,
  serve,
  type Doing,
  type Law,
  type Planner,
} from './kinds/vmoperation.ts'
import { operationStates } from './kinds/vmoperation-states.ts'
import { operationEnds, type OperationEnd } from './operation-ends.ts'

/** Calls that no operation exceeds: a stop, a power cut, the call it is for, and a start. */
const MOST = 5
/** Units after which what still waits waits for ever. */
const PATIENCE = 4 * SETTLE

interface Ended {
  readonly as: OperationEnd['as']
  readonly reason?: string
  readonly message: string
}

interface Walk {
  doing: Doing
  calls: number
  readonly trail: string[]
}

type Report = (law: string, what: string, walk: Walk) => void

export function checkOperations(planner: Planner, from: Iterable<Doing> = operationStates()): Checked {
  const startedAt = performance.now()
  const faults = new Map<string, Fault>()
  const tally = new Map<OperationEnd, number>()
  const asked = new Set<Law>()
  let states = 0
  let longest = 0
  let start: Doing
  const report: Report = (law, what, { trail }) => {
    const key = `${law}: ${what}`
    const known = faults.get(key) ?? { law, what, examples: [], count: 0 }
    faults.set(key, known)
    known.count += 1
    if (known.examples.length < 3) known.examples.push(`from ${JSON.stringify(start)} by ${trail.join(' ')}`)
  }
  const conclude = (ended: Ended | undefined, walk: Walk): void => {
    longest = Math.max(longest, walk.calls)
    if (ended === undefined) {
      report('a walk comes to an end', `more than ${MOST} calls`, walk)
      return
    }
    const { as, reason = '', message } = ended
    const end = operationEnds.find(
      (each) =>
        each.as === as &&
        (each.reason === undefined || each.reason === reason) &&
        (each.says === undefined || message.includes(each.says)) &&
        each.when(walk.doing, start),
    )
    if (end === undefined)
      report('a walk ends where the list says', `${as} ${reason} ${message.slice(0, 80)}`, walk)
    else tally.set(end, (tally.get(end) ?? 0) + 1)
  }
  for (const state of from) {
    states += 1
    start = state
    const forward: Walk = { doing: state, calls: 0, trail: [] }
    conclude(carriedOut(planner, forward, asked, report), forward)
    if (state.sent === undefined) continue
    const back: Walk = { doing: state, calls: 0, trail: ['deleted:'] }
    conclude(left(planner, back, asked, report), back)
  }
  return {
    kind: 'CloudVMOperation',
    states,
    walks: [...tally.values()].reduce((all, each) => all + each, 0),
    longest,
    ends: new Map(operationEnds.map((end) => [nameOf(end), tally.get(end) ?? 0])),
    faults: [...faults.values()],
    idle: [
      ...operationEnds.filter((end) => !tally.has(end)).map(nameOf),
      ...laws.filter((law) => !asked.has(law)).map(({ says }) => says),
    ],
    ms: performance.now() - startedAt,
  }
}

function nameOf({ as, reason, says }: OperationEnd): string {
  return [as, reason, says && `(${says})`].filter((word) => word !== undefined).join(' ')
}

/** Call after call, and unit after unit where one waits. Undefined: it never ends. */
function carriedOut(planner: Planner, walk: Walk, asked: Set<Law>, report: Report): Ended | undefined {
  for (let waited = 0; ;) {
    const { doing, progress } = progressOf(planner, walk.doing)
    walk.doing = doing
    const next = planner.nextOf(progress)
    if (next.is === 'end') {
      const { verdict } = next
      return {
        as: verdict.is,
        message: verdict.message,
        ...(verdict.is === 'stalled' && { reason: verdict.reason }),
      }
    }
    if (next.is === 'wait') {
      if (waited > PATIENCE) return { as: 'wait', message: next.message }
      waited += 1
      walk.doing = elapse(walk.doing)
      continue
    }
    if (walk.calls >= MOST) return undefined
    call(walk, next.step, asked, report)
    waited = 0
  }
}

function call(walk: Walk, step: Parameters<Law['kept']>[1], asked: Set<Law>, report: Report): void {
  walk.trail.push(step.do)
  walk.calls += 1
  for (const law of laws) {
    if (law.of?.includes(step.do) === false) continue
    asked.add(law)
    if (!law.kept(walk.doing, step)) report(law.says, step.do, walk)
  }
  walk.doing = serve(walk.doing, step)
}

/** The object is deleted on the way: it goes after the settle time, or after the one call that is left to make. */
function left(planner: Planner, walk: Walk, asked: Set<Law>, report: Report): Ended {
  for (let since = 0; since < SETTLE; since++) {
    const { doing, progress } = progressOf(planner, walk.doing)
    walk.doing = doing
    const parting = planner.partingOf(progress)
    if (parting?.is === 'step') {
      if (parting.step.do !== 'start') report('a deletion sends nothing but a start', parting.step.do, walk)
      call(walk, parting.step, asked, report)
    }
    if (parting?.is !== 'wait') break
    walk.doing = elapse(walk.doing)
  }
  return { as: 'released', message: '' }
}
