/** Walks from every state of a model, and says what came of it: how many, how they ended, and which law was broken. */
import type { StepFacts } from '../../src/reconcile/plan.ts'
import type { End, Model, Rule, State, Words } from './model.ts'
import { begin, walk, type Course, type Ended, type Toward, type Watcher } from './walk.ts'

export interface Fault {
  readonly law: string
  readonly what: string
  /** The first states it was found from, with the steps taken. */
  readonly examples: string[]
  count: number
}

export interface Checked {
  readonly kind: string
  readonly states: number
  readonly walks: number
  readonly longest: number
  /** Walks by end. */
  readonly ends: ReadonlyMap<string, number>
  readonly faults: readonly Fault[]
  /** Ends of the list at which no walk ended, and rules that no step was about. */
  readonly idle: readonly string[]
  readonly ms: number
}

const EXAMPLES = 3
/** How often a step of one name is carried out twice, to see that this does no more than once. */
const TWICE = 200

export function check<W extends Words>(model: Model<W>): Checked {
  const startedAt = performance.now()
  const faults = new Map<string, Fault>()
  const tally = new Map<End<W>, number>()
  const rules = rulesByStep(model)
  let states = 0
  let walks = 0
  let longest = 0
  let start: State<W>
  let toward: Toward

  const fault = (law: string, what: string, course: Course<W>): void => {
    const key = `${law}: ${what}`
    const known = faults.get(key) ?? { law, what, examples: [], count: 0 }
    faults.set(key, known)
    known.count += 1
    if (known.examples.length >= EXAMPLES) return
    const steps = course.trail.map((step) => JSON.stringify(step)).join(' ')
    known.examples.push(
      `toward ${toward} from ${JSON.stringify(start)} by ${steps === '' ? 'no step' : steps}`,
    )
  }
  const watcher: Watcher<W> = { fault, step: stepWatch(model, rules, fault) }

  const go = (state: State<W>, to: Toward): void => {
    start = state
    toward = to
    walks += 1
    const course = begin(state)
    const ended = walk(model, course, to, watcher)
    longest = Math.max(longest, course.steps)
    if (ended === undefined) {
      fault('a walk comes to an end', `more than ${model.most} steps`, course)
      return
    }
    const found = endOf(model, ended, course, state)
    if (found === undefined) fault('a walk ends where the list says', wordsOf(ended), course)
    else tally.set(found, (tally.get(found) ?? 0) + 1)
  }
  for (const state of model.states()) {
    states += 1
    go(state, 'wish')
    if (state.cloud !== undefined && state.observes !== true) go(state, 'gone')
  }
  return {
    kind: model.kind,
    states,
    walks,
    longest,
    ends: new Map(model.ends.map((end) => [nameOf(end), tally.get(end) ?? 0])),
    faults: [...faults.values()],
    idle: [
      ...model.ends.filter((end) => !tally.has(end)).map(nameOf),
      ...rules.idle().map(({ says }) => says),
    ],
    ms: performance.now() - startedAt,
  }
}

function wordsOf({ as, reason, message }: Ended): string {
  return `${as} ${reason} ${message.slice(0, 120)}`.trim()
}

/** How an end is called in tables. */
export function nameOf({ as, reason, says }: Pick<End<Words>, 'as' | 'reason' | 'says'>): string {
  return [as, reason, says && `(${says})`].filter((word) => word !== undefined).join(' ')
}

function endOf<W extends Words>(
  { ends }: Model<W>,
  { as, reason, message }: Ended,
  course: Course<W>,
  start: State<W>,
): End<W> | undefined {
  return ends.find(
    (end) =>
      end.as === as &&
      (end.reason === undefined || end.reason === reason) &&
      (end.says === undefined || message.includes(end.says)) &&
      end.when(course, start),
  )
}

interface Rules<W extends Words> {
  readonly of: (step: string) => readonly Rule<W>[]
  readonly idle: () => readonly Rule<W>[]
}

function rulesByStep<W extends Words>({ rules }: Model<W>): Rules<W> {
  const byStep = new Map<string, readonly Rule<W>[]>()
  const asked = new Set<Rule<W>>()
  return {
    of: (step) => {
      const known = byStep.get(step)
      if (known !== undefined) return known
      const own = rules.filter((rule) => rule.of === undefined || rule.of.includes(step))
      for (const rule of own) asked.add(rule)
      byStep.set(step, own)
      return own
    },
    idle: () => rules.filter((rule) => !asked.has(rule)),
  }
}

function stepWatch<W extends Words>(
  model: Model<W>,
  rules: Rules<W>,
  fault: Watcher<W>['fault'],
): Watcher<W>['step'] {
  const repeated = new Map<string, number>()
  return (course, step, facts) => {
    for (const rule of rules.of(step.do)) if (!rule.kept(course, step)) fault(rule.says, step.do, course)
    factsWatch(model, course, step, facts, fault)
    if (facts.nature !== 'set') return
    const times = repeated.get(step.do) ?? 0
    repeated.set(step.do, times + 1)
    if (times < TWICE && !isHarmlessTwice(model, course, step))
      fault('a step of nature set does twice what it does once', step.do, course)
  }
}

function factsWatch<W extends Words>(
  model: Model<W>,
  course: Course<W>,
  step: W['step'],
  facts: StepFacts,
  fault: Watcher<W>['fault'],
): void {
  const named = model.names(step, course.cloud)
  if (named.some((id) => facts.locks?.includes(id) !== true))
    fault('a call that names a virtual machine locks it', step.do, course)
  const marked = model.stops?.(course, step)
  if (marked !== undefined && marked !== (facts.stops === true))
    fault('a step that stops a running machine says so', step.do, course)
}

function isHarmlessTwice<W extends Words>(model: Model<W>, course: Course<W>, step: W['step']): boolean {
  const once = model.serve(course, step)
  if (once.is === 'refused' || once.cloud === undefined) return true
  const twice = model.serve({ ...course, cloud: once.cloud }, step)
  return twice.is === 'refused' || JSON.stringify(twice.cloud) === JSON.stringify(once.cloud)
}
