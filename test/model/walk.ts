/**
 * One walk: passes as the pipeline makes them, until one takes no step and time changes nothing. A pass resolves what is
 * open, then reports, plans and performs the first step, again and again.
 */
import type { CommonStatus, Operation } from '../../src/api/shared.ts'
import type { Memory, Patch } from '../../src/reconcile/kind.ts'
import type { Plan, StepFacts } from '../../src/reconcile/plan.ts'
import type { EndAs, Fate, Model, Served, State, Words } from './model.ts'

export type Toward = 'wish' | 'gone'

/** A state on its way. It is changed in place: a walk is made some hundred thousand times. */
export interface Course<W extends Words> {
  want: W['want']
  cloud: W['cloud'] | undefined
  status: W['status']
  fate?: Fate
  fought?: string
  overdue?: string
  outlived?: readonly string[]
  appliedBefore: boolean
  observes: boolean
  seen: W['seen'] | undefined
  steps: number
  readonly trail: W['step'][]
  /** Steps of nature set that were accepted, for as long as nothing is as wished. */
  accepted: { readonly step: W['step']; times: number }[]
  readonly refusedSteps: W['step'][]
}

export interface Ended {
  readonly as: EndAs
  readonly reason: string
  readonly message: string
}

export interface Watcher<W extends Words> {
  fault: (law: string, what: string, course: Course<W>) => void
  /** Before a step is performed. */
  step: (course: Course<W>, step: W['step'], facts: StepFacts) => void
}

const AGAIN: Ended = { as: 'wait', reason: 'Again', message: '' }

export function begin<W extends Words>(start: State<W>): Course<W> {
  return {
    want: start.want,
    cloud: start.cloud,
    status: start.status,
    ...(start.fate !== undefined && { fate: start.fate }),
    ...(start.fought !== undefined && { fought: start.fought }),
    ...(start.outlived !== undefined && { outlived: start.outlived }),
    appliedBefore: start.appliedBefore === true,
    observes: start.observes === true,
    seen: undefined,
    steps: 0,
    trail: [],
    accepted: [],
    refusedSteps: [],
  }
}

/** Walks to where nothing moves any more. Undefined: it never comes to rest. */
export function walk<W extends Words>(
  model: Model<W>,
  course: Course<W>,
  toward: Toward,
  watcher: Watcher<W>,
): Ended | undefined {
  // A pass takes a step, or is the last but for the time that passes.
  for (let passes = 0; passes <= model.most * 2; passes++) {
    const before = course.steps
    const ended = pass(model, course, toward, watcher)
    delete course.fought
    if (ended === undefined) return undefined
    if (ended.as === 'deleted') return ended
    const later = course.cloud && model.elapse(course.cloud)
    if (later === course.cloud && course.steps === before) return ended
    course.cloud = later
  }
  return undefined
}

/** Undefined: more steps than any plan has. */
function pass<W extends Words>(
  model: Model<W>,
  course: Course<W>,
  toward: Toward,
  watcher: Watcher<W>,
): Ended | undefined {
  delete course.overdue
  look(model, course)
  resolve(model, course, toward)
  for (;;) {
    const { seen } = course
    if (toward === 'gone' && seen === undefined) return { as: 'deleted', reason: '', message: '' }
    if (seen !== undefined) report(model, course, toward === 'wish' ? course.want : undefined)
    const plan =
      toward === 'wish' || seen === undefined
        ? model.planner.plan(course.want, seen, memoryOf(course))
        : model.planner.planGone(seen, memoryOf(course), model.object(course.want))
    const step = plan.steps[0]
    const rests = toward === 'wish' ? concluded(model, course, plan) : held(plan)
    if (rests !== undefined || step === undefined) return rests ?? stuck()
    if (course.observes) return { as: 'observed', reason: '', message: '' }
    if (course.steps >= model.most) return undefined
    const ended = perform(model, course, step, watcher)
    if (ended !== undefined) return ended
  }
}

function look<W extends Words>(model: Model<W>, course: Course<W>): void {
  course.seen = course.cloud && model.look(course.cloud)
}

export function memoryOf<W extends Words>(course: Course<W>): Memory<W['status']> {
  const { status, appliedBefore, overdue, fought, outlived } = course
  return {
    status,
    appliedBefore,
    ...(overdue !== undefined && { overdue }),
    ...(fought !== undefined && { fought }),
    ...(outlived !== undefined && { outlived }),
  }
}

function patch<W extends Words>(
  course: Course<W>,
  fields: Patch<CommonStatus> | Patch<W['status']> | undefined,
): void {
  course.status = { ...course.status, ...fields }
}

function report<W extends Words>(model: Model<W>, course: Course<W>, want: W['want'] | undefined): void {
  const { seen } = course
  if (seen === undefined) return
  patch(course, model.planner.report(seen, memoryOf(course), want))
}

/** What is open: over once its effect is seen, or once it is certain that there will be none. */
function resolve<W extends Words>(model: Model<W>, course: Course<W>, toward: Toward): void {
  const { operation } = course.status
  if (operation === undefined) return
  if (course.seen !== undefined && !model.planner.effect(operation, course.seen)) {
    if (course.fate === 'overdue') {
      course.overdue = operation.verb
      return
    }
    if (course.fate === 'arrives') {
      const step = model.stepOf(operation, course)
      const served = step && model.serve(course, step)
      if (served?.is === 'done') course.cloud = served.cloud && model.elapse(served.cloud)
      look(model, course)
    }
  }
  // What was under way is recorded before it is forgotten.
  if (toward === 'wish' || course.seen !== undefined) report(model, course, undefined)
  clear(course)
}

function clear<W extends Words>(course: Course<W>): void {
  delete course.fate
  patch(course, { operation: undefined })
}

/** As converge concludes: undefined: there is a step to take. */
function concluded<W extends Words>(
  model: Model<W>,
  course: Course<W>,
  plan: Plan<W['step']>,
): Ended | undefined {
  if (plan.wait !== undefined) return { as: 'wait', ...plan.wait }
  if (plan.steps.length > 0) return undefined
  if (plan.block !== undefined) return { as: 'block', ...plan.block }
  if (plan.pending !== undefined) return { as: 'pending', ...plan.pending }
  clear(course)
  course.appliedBefore = true
  course.accepted = []
  if (course.seen === undefined) return stuck()
  const usability = model.planner.usability(course.seen, course.want)
  return usability.usable
    ? { as: 'done', reason: '', message: '' }
    : { as: 'unusable', reason: '', message: usability.message }
}

/** The same of a deletion. */
function held<W extends Words>(plan: Plan<W['step']>): Ended | undefined {
  if (plan.wait !== undefined) return { as: 'wait', ...plan.wait }
  if (plan.block !== undefined) return { as: 'block', ...plan.block }
  if (plan.steps.length > 0) return undefined
  return plan.pending === undefined ? stuck() : { as: 'pending', ...plan.pending }
}

function stuck(): Ended {
  return { as: 'wait', reason: 'Stuck', message: 'neither a step nor a word about why there is none' }
}

const ACCEPTED_TWICE = 2

/** Undefined: the pass goes on with what is seen now. */
function perform<W extends Words>(
  model: Model<W>,
  course: Course<W>,
  step: W['step'],
  watcher: Watcher<W>,
): Ended | undefined {
  const { planner } = model
  if (course.refusedSteps.some((each) => sameStep(each, step)))
    return { as: 'refused', reason: step.do, message: '' }
  const known = course.accepted.find((each) => sameStep(each.step, step))
  if (known !== undefined && known.times >= ACCEPTED_TWICE) {
    if (course.fought === step.do) return { as: 'drifted', reason: step.do, message: '' }
    course.fought = step.do
    return undefined
  }
  const facts = planner.facts(step, course.seen)
  course.trail.push(step)
  watcher.step(course, step, facts)
  course.steps += 1
  const operation = facts.nature === 'set' ? undefined : opened(model, course, step, facts)
  const served = model.serve(course, step)
  if (served.is === 'refused') return refused(model, course, step, served.text)
  return answered(model, course, step, { facts, operation, served, known }, watcher)
}

function opened<W extends Words>(
  { planner }: Model<W>,
  course: Course<W>,
  step: W['step'],
  { details }: StepFacts,
): Operation {
  const operation: Operation = {
    id: 'operation',
    verb: step.do,
    issuedAt: '2026-01-01T00:00:00Z',
    ...(details !== undefined && { details }),
  }
  patch(course, planner.remember?.(step, course.seen, { status: course.status, appliedBefore: false }))
  patch(course, { operation })
  return operation
}

interface Call<W extends Words> {
  readonly facts: StepFacts
  readonly operation: Operation | undefined
  readonly served: Extract<Served<W>, { is: 'done' }>
  readonly known: { times: number } | undefined
}

function answered<W extends Words>(
  model: Model<W>,
  course: Course<W>,
  step: W['step'],
  { facts, operation, served, known }: Call<W>,
  watcher: Watcher<W>,
): Ended | undefined {
  const { seen: before } = course
  course.cloud = served.cloud
  for (const id of served.lost ?? []) watcher.fault('nothing that is not ours is destroyed', id, course)
  if (facts.nature === 'set') {
    if (known === undefined) course.accepted.push({ step, times: 1 })
    else known.times += 1
    course.seen = served.answer ?? (course.cloud && model.look(course.cloud))
    return undefined
  }
  look(model, course)
  if (facts.nature === 'destroy') {
    if (course.cloud !== undefined) watcher.fault('what is deleted is gone', step.do, course)
    return { as: 'deleted', reason: '', message: '' }
  }
  if (facts.nature === 'create') {
    course.want = model.made(course.want)
    patch(course, served.learned)
    clear(course)
    return undefined
  }
  return effectOf(model, course, { operation, before, later: served.later === true }, watcher)
}

/** A step that must not be repeated shows by its effect that it has happened. */
function effectOf<W extends Words>(
  model: Model<W>,
  course: Course<W>,
  move: { operation: Operation | undefined; before: W['seen'] | undefined; later: boolean },
  watcher: Watcher<W>,
): Ended | undefined {
  const { operation, before, later } = move
  const { seen } = course
  if (operation === undefined || before === undefined || seen === undefined) return undefined
  const { effect } = model.planner
  if (effect(operation, before))
    watcher.fault('an effect is not there before its step', operation.verb, course)
  if (effect(operation, seen)) {
    report(model, course, undefined)
    clear(course)
    return undefined
  }
  if (!later) watcher.fault('an effect is there after its step', operation.verb, course)
  course.fate = 'overdue'
  return AGAIN
}

function refused<W extends Words>(
  { planner }: Model<W>,
  course: Course<W>,
  step: W['step'],
  text: string,
): Ended {
  clear(course)
  const wait = planner.refusedWait?.(step, text)
  if (wait !== undefined) {
    // Asked again and again, and each time the answer is the same.
    course.steps -= 1
    return { as: 'wait', ...wait }
  }
  course.refusedSteps.push(step)
  const fields = planner.refused?.(step, text, { status: course.status, appliedBefore: false })
  if (fields === undefined) return { as: 'refused', reason: step.do, message: text }
  patch(course, fields)
  return AGAIN
}

/** Only few steps of one name are ever compared. */
function sameStep(a: { readonly do: string }, b: { readonly do: string }): boolean {
  return a === b || (a.do === b.do && JSON.stringify(a) === JSON.stringify(b))
}
