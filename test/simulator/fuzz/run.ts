/** One seed: a simulator, so many calls, and what is wrong with any of them. The seed decides everything. */
import { createHash } from 'node:crypto'
import type { Fault } from '../../../src/simulator/faults.ts'
import type { Served } from '../../../src/simulator/http/serve.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import type { Rules } from '../../../src/simulator/state/rules.ts'
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts'
import { meddle } from './behind.ts'
import { requestOf, type Draft } from './draft.ts'
import { drawCall } from './draw.ts'
import { brokenInvariants } from './invariants.ts'
import { nameOf } from './operation.ts'
import { wrongList, wrongWith } from './oracles.ts'
import { randomOf, type Random } from './random.ts'
import { settingOf, type Setting } from './settings.ts'
import { readState, withoutCallCount, type State } from './state.ts'

export interface Wish {
  seed: number
  calls: number
  /** Before this call the state is dumped and loaded into a new simulator, which goes on. */
  reloadAt?: number
  /** Is given a line for each call. */
  trace?: (line: string) => void
}

export interface Run {
  seed: number
  setting: string
  calls: number
  /** Outcomes by class: '2xx', '4xx', '5xx', 'reset', 'hang', 'truncated', 'underway'. */
  outcomes: Record<string, number>
  /** How often each operation was carried out. */
  accepted: Record<string, number>
  violations: string[]
  /** Digest of every request and outcome, and of the state at the end. */
  transcript: string
}

const underwayMs = 500
const longestMs = 60_000

interface Flight {
  simulator: Simulator
  clock: ManualClock
  random: Random
  setting: Setting
  state: State
  dump: string
  /** Calls that have no outcome yet. */
  underway: number
  /** Until when a change may come late, by a fault. */
  lateUntil: number
  /** Broken invariants that were told of: each is told once. */
  told: Set<string>
}

export async function runSeed({ seed, calls, reloadAt, trace }: Wish): Promise<Run> {
  const setting = settingOf(seed)
  const clock = createManualClock()
  const flight: Flight = {
    ...{ setting, clock, random: randomOf(seed), underway: 0, lateUntil: 0, told: new Set<string>() },
    ...look(newSimulator(setting, seed, clock)),
  }
  const run: Run = {
    seed,
    setting: setting.name,
    calls,
    outcomes: {},
    accepted: {},
    violations: [],
    transcript: '',
  }
  const transcript = createHash('sha256')
  for (let n = 1; n <= calls; n += 1) {
    if (n === reloadAt) reload(flight, seed)
    const { line, problems } = await step(flight, run)
    transcript.update(`${line}\n`)
    trace?.(`${n} ${line}`)
    run.violations.push(
      ...problems.map((problem) => `seed ${seed}, call ${n}: ${problem}\n    ${line.slice(0, 900)}`),
    )
    await clock.advance(flight.random.oneOf([0, 0, 1, 700, 1000, 2500]))
  }
  await clock.advance(longestMs)
  const atEnd = brokenInvariants(readState(flight.simulator.control.dump()))
  run.violations.push(
    ...atEnd.filter((line) => !flight.told.has(line)).map((line) => `seed ${seed}, end: ${line}`),
  )
  run.transcript = transcript.update(flight.simulator.control.dump()).digest('hex')
  flight.simulator.stop()
  return run
}

function newSimulator(
  { profile, timing, rules, quota }: Setting,
  seed: number,
  clock: ManualClock,
): Simulator {
  const simulator = createSimulator({ profile, timing, seed, clock })
  const { control } = simulator
  control.createAccount({ billingAccounts: [11, 12, 13] })
  control.createAccount({ billingAccounts: [21], restrictedTo: 21, defaultNetwork: false })
  for (const [rule, value] of Object.entries(rules)) control.setRule(rule as keyof Rules, value)
  if (quota !== undefined) control.setQuota(quota)
  return simulator
}

function look(simulator: Simulator): Pick<Flight, 'simulator' | 'dump' | 'state'> {
  const dump = simulator.control.dump()
  return { simulator, dump, state: readState(dump) }
}

function reload(flight: Flight, seed: number): void {
  const next = newSimulator(flight.setting, seed + 1, flight.clock)
  next.control.load(flight.simulator.control.dump())
  flight.simulator.stop()
  Object.assign(flight, look(next))
}

interface Step {
  line: string
  problems: string[]
}

async function step(flight: Flight, run: Run): Promise<Step> {
  const { random, setting, clock } = flight
  prepare(flight)
  const draft = drawCall(flight.state, random)
  const fault = setting.faults.length > 0 && random.chance(0.15) ? random.oneOf(setting.faults) : undefined
  if (fault !== undefined) arm(flight, draft, fault)
  const { served, othersEnded } = await carry(flight, draft)
  const seen = { draft, served, faulted: setting.faults.length > 0 }
  const line = `${setting.name}: ${JSON.stringify(shortOf(draft))} => ${JSON.stringify(served)}`
  const before = flight.dump
  const after = flight.simulator.control.dump()
  const changed = withoutCallCount(after) !== withoutCallCount(before)
  if (changed || after !== before)
    Object.assign(flight, { dump: after, ...(changed && { state: readState(after) }) })
  count(run, draft, served)
  const problems = served === 'underway' ? [] : wrongWith({ ...seen, served, state: flight.state })
  if (served !== 'underway') problems.push(...wrongList({ ...seen, served, state: flight.state }))
  const alone = fault === undefined && !othersEnded && clock.now() >= flight.lateUntil
  if (changed && alone && changesNothing(draft, served))
    problems.push(`changed the state: ${difference(before, after)}`)
  if (changed) {
    const broken = brokenInvariants(flight.state).filter((line) => !flight.told.has(line))
    for (const line of broken) flight.told.add(line)
    problems.push(...broken)
  }
  return { line, problems }
}

/** What happens between calls: people meddle, and an account without any token gets a new neighbour. */
function prepare(flight: Flight): void {
  const { simulator, random, state, setting } = flight
  if (setting.timing !== 'instant' || setting.faults.length > 0) Object.assign(flight, look(simulator))
  if (state.tokens.size < 2) simulator.control.createAccount({ billingAccounts: [31, 32] })
  else if (random.chance(0.02)) meddle(simulator.control, state, random)
  else return
  Object.assign(flight, look(simulator))
}

function arm(flight: Flight, { method, path }: Draft, fault: Setting['faults'][number]): void {
  const { control } = flight.simulator
  if (flight.random.chance(0.5)) control.clearFaults()
  control.addFault({ ...fault, method: method.toUpperCase(), path: `/${path.join('/')}` } satisfies Fault)
  if (fault.effectAfterMs !== undefined)
    flight.lateUntil = flight.clock.now() + fault.effectAfterMs + longestMs
}

/** Carries the call through. One that takes its time is now and then left alone while others come. */
async function carry(
  flight: Flight,
  draft: Draft,
): Promise<{ served: Served | 'underway'; othersEnded: boolean }> {
  const { simulator, clock, random } = flight
  const leave = random.chance(0.5)
  const before = flight.underway
  let served: Served | 'underway' = 'underway'
  flight.underway += 1
  void simulator.serve(requestOf(draft)).then((outcome) => {
    served = outcome
    flight.underway -= 1
  })
  await clock.yield()
  const isOver = () => served !== 'underway'
  if (!isOver()) await clock.advance(underwayMs)
  if (!isOver() && !leave) await clock.advance(longestMs)
  return { served, othersEnded: flight.underway < before + (isOver() ? 0 : 1) }
}

/** Refusals change nothing, and neither do reads; asking for the storage user makes it. */
function changesNothing(draft: Draft, served: Served | 'underway'): boolean {
  if (served === 'underway' || served.outcome !== 'answered') return false
  const read = draft.method === 'GET' && draft.operation.path !== '/storage/user'
  return served.status >= 400 || (read && draft.distorted.length === 0)
}

function count(run: Run, draft: Draft, served: Served | 'underway'): void {
  const outcome = served === 'underway' ? served : served.outcome
  const status = typeof served === 'object' && served.outcome === 'answered' ? served.status : 0
  const kind = status === 0 ? outcome : `${Math.floor(status / 100)}xx`
  run.outcomes[kind] = (run.outcomes[kind] ?? 0) + 1
  if (kind !== '2xx' && kind !== 'underway') return
  const name = nameOf(draft.operation)
  if (draft.distorted.length === 0) run.accepted[name] = (run.accepted[name] ?? 0) + 1
}

function shortOf(draft: Draft): object {
  const { method, target, headers, body } = requestOf(draft)
  const text = typeof body === 'string' ? body : body === undefined ? undefined : `${body.length} bytes`
  return { method, target, headers, body: text, distorted: draft.distorted }
}

/** Where two texts part, with some of what follows. */
function difference(before: string, after: string): string {
  let at = 0
  while (at < before.length && before[at] === after[at]) at += 1
  return `${before.slice(Math.max(0, at - 60), at + 80)} became ${after.slice(Math.max(0, at - 60), at + 80)}`
}
