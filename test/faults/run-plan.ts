/** One run of one plan, from an empty cluster to an empty cluster. */
import type { Entry, History, MomentEntry } from './history.ts'
import type { ModelObject } from './kube/objects.ts'
import { resourceOf } from './kube/resources.ts'
import { KINDS } from '../../src/api/group.ts'
import { accountSpecOf } from './account.ts'
import { SYNC_MS } from './durations.ts'
import { carryOutStep } from './people.ts'
import type { Plan } from './plan.ts'
import { fold } from './random.ts'
import { scenarioOf } from './scenarios/all.ts'
import type { Scenario, Step } from './steps.ts'
import { createWorld, NAMESPACE, type World } from './world.ts'
import { restOf, type Rest } from './resting.ts'

/** For the account alone at the start. */
const BEGIN_LIMIT_MS = 300_000
/** Between two steps of a timeline: what takes longer goes on while the next one happens. */
const STEP_LIMIT_MS = 600_000
/** After the last trouble. */
const CONVERGE_LIMIT_MS = 1_500_000
/** Nothing was going on for so long before it counts as rest: what wakes by an event does so sooner. */
const REST_MS = 3_000
/** A watch that has gone deaf is noticed after 150 s, what was refused is tried again after 180 s. */
const WAITING_MS = 200_000
/** A list that one look missed is read at the next, what it taught is written at the account's next, and counts of events follow. */
const LAST_WORDS_MS = 2.5 * SYNC_MS
const QUIET_INTERVALS = 2

export async function runPlan(plan: Plan, reference?: History): Promise<History> {
  const scenario = scenarioOf(plan.scenario)
  const world = createWorld(plan)
  await begin(world, scenario)
  for (const step of scenario.timeline) await carryOut(world, step)
  world.troubles.end()
  const settled = await lastRest(world)
  // What only the next look of each interval shows, and the counts of events, belong to what came before.
  await world.scheduler.run(() => false, world.scheduler.now() + LAST_WORDS_MS)
  note(world, 'settled', settled)
  await world.scheduler.run(() => false, world.scheduler.now() + QUIET_INTERVALS * SYNC_MS)
  note(world, 'quiet', true)
  // The last deletions too are disturbed, and have to end once nothing goes wrong any more.
  world.troubles.resume()
  deleteAll(world)
  await rest(world, STEP_LIMIT_MS)
  world.troubles.end()
  world.end()
  deleteAll(world)
  note(world, 'end', await lastRest(world))
  const trace = world.entries.reduce(
    (hash, entry) => fold(hash, wordFor(entry)),
    fold(0, world.scheduler.trace()),
  )
  return {
    plan,
    entries: world.entries,
    secrets: world.secrets,
    lines: world.lines,
    labels: Object.fromEntries(world.troubles.counts()),
    trace: trace.toString(16).padStart(8, '0'),
    ...(reference && { reference }),
  }
}

/** What tells one entry from another, times aside: those are in the scheduler's trace. */
function wordFor(entry: Entry): string {
  if (entry.is === 'call') return `${entry.label} ${entry.status ?? ''} ${entry.effect ?? ''}`
  if (entry.is !== 'write') return entry.is
  return `${entry.label} ${entry.status} ${entry.after?.metadata.resourceVersion ?? ''} ${entry.body.length}`
}

async function begin(world: World, scenario: Scenario): Promise<void> {
  bystanders(world)
  for (const wish of scenario.strangers ?? []) {
    const [id = ''] = world.service.control.mutate({ do: 'create', apiKey: world.apiKey, ...wish }).ids
    world.strangers.set(wish.name ?? '', id)
  }
  const spec = { ...accountSpecOf(world), ...scenario.account }
  carryOutStep(world, { do: 'apply', objects: [{ kind: 'CloudAccount', name: 'default', spec }] })
  note(world, 'begin', true)
  world.start()
  if (world.plan.leaders === 'two') world.start()
  await rest(world, BEGIN_LIMIT_MS)
}

/** One of everything that nobody declared, with something in it. */
function bystanders({ service, apiKey }: World): void {
  const { control } = service
  for (const kind of ['network', 'vm', 'disk', 'bucket', 'floatingIp', 'loadBalancer'] as const) {
    control.mutate({ do: 'create', kind, apiKey, name: `bystander-${kind.toLowerCase()}` })
  }
  control.mutate({ do: 'setBucket', bucket: 'bystander-bucket', set: { objects: 3, sizeBytes: 4_096 } })
}

async function carryOut(world: World, step: Step): Promise<void> {
  const { scheduler } = world
  if (step.do === 'settle') await rest(world, STEP_LIMIT_MS)
  else if (step.do === 'wait') await scheduler.run(() => false, scheduler.now() + step.ms)
  else carryOutStep(world, step)
}

/** Once nothing goes wrong any more, and what was late has come. */
async function lastRest(world: World): Promise<boolean> {
  const { scheduler } = world
  await scheduler.run(() => !world.landsLater(), scheduler.now() + CONVERGE_LIMIT_MS)
  return rest(world, CONVERGE_LIMIT_MS)
}

/** Until nothing is going on, and has not for a while; false when the time is up before. */
async function rest(world: World, limitMs: number): Promise<boolean> {
  const { scheduler } = world
  const deadline = scheduler.now() + limitMs
  let version = -1
  let state: Rest = 'busy'
  const look = (): Rest => {
    if (version !== world.changes()) state = restOf(ours(world))
    version = world.changes()
    return world.living() && !world.waitsForChange() ? state : 'busy'
  }
  while (await scheduler.run(() => look() !== 'busy', deadline)) {
    const before = { state: look(), version }
    const changed = (): boolean => look() !== before.state || version !== before.version
    const waitMs = before.state === 'waiting' || world.mayBeDeaf() ? WAITING_MS : REST_MS
    if (!(await scheduler.run(changed, Math.min(scheduler.now() + waitMs, deadline)))) return true
  }
  return false
}

function ours({ model }: World): readonly ModelObject[] {
  return KINDS.flatMap((kind) => model.list(resourceOf(kind), NAMESPACE))
}

function deleteAll(world: World): void {
  for (const { kind, metadata } of ours(world)) {
    if (metadata.deletionTimestamp === undefined)
      carryOutStep(world, { do: 'delete', object: { kind, name: metadata.name } })
  }
}

function note(world: World, moment: MomentEntry['moment'], reached: boolean): void {
  const { scheduler, service, entries } = world
  const inventory = service.control.inventory()
  entries.push({ is: 'moment', at: scheduler.now(), moment, reached, inventory, objects: ours(world) })
}
