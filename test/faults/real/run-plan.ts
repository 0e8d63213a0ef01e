/** One run of one plan with real processes, from an empty namespace to an empty namespace. */
import { setTimeout as sleep } from 'node:timers/promises'
import { KINDS } from '../../../src/api/group.ts'
import { SETTLE_MS, SYNC_MS } from '../durations.ts'
import type { History, MomentEntry } from '../history.ts'
import { isObject, type ModelObject } from '../kube/objects.ts'
import type { Plan } from '../plan.ts'
import { scenarioOf } from '../scenarios/all.ts'
import type { Scenario, Step } from '../steps.ts'
import { realMs } from './pace.ts'
import { carryOutStep, pathOf } from './people.ts'
import { restOf, type Rest } from '../resting.ts'
import type { Rig } from './rig.ts'
import { createWorld, type World } from './world.ts'

/** In real time, since anything was last done: what is slow here is the machine. */
const BEGIN_LIMIT_MS = 60_000
/** Between two steps of a timeline: what takes longer goes on while the next one happens. */
const STEP_LIMIT_MS = 25_000
const CONVERGE_LIMIT_MS = 60_000
/** Who does something again and again for so long does not come to rest. */
const LONGEST_MS = 240_000
/** Nothing was going on for so long before it counts as rest. */
const REST_MS = 500
const WAITING_MS = realMs(200_000)
const LAST_WORDS_MS = realMs(1.5 * SYNC_MS)
/** Rest that does not last so long after so much time is no rest. */
const LAST_WORDS_LIMIT_MS = 60_000
const QUIET_INTERVALS = 2
const LOOK_MS = 25

export async function runPlan(rig: Rig, plan: Plan, reference?: History): Promise<History> {
  const scenario = scenarioOf(plan.scenario)
  const world = await createWorld(plan, rig)
  try {
    await begin(world, scenario)
    for (const step of scenario.timeline) await carryOut(world, step)
    world.troubles.end()
    const settled = await rest(world, CONVERGE_LIMIT_MS)
    // What only the next look of each interval shows, and the counts of events, belong to what came before.
    await stillness(world)
    await note(world, 'settled', settled)
    await sleep(QUIET_INTERVALS * realMs(SYNC_MS))
    await note(world, 'quiet', true)
    // The last deletions too can be disturbed.
    world.troubles.resume()
    world.finish()
    await deleteAll(world)
    await note(world, 'end', await rest(world, CONVERGE_LIMIT_MS))
  } finally {
    await world.end()
  }
  return {
    plan,
    settleMs: realMs(SETTLE_MS),
    entries: world.entries,
    secrets: world.secrets,
    lines: world.lines,
    labels: Object.fromEntries(world.troubles.counts()),
    trace: '',
    ...(reference && { reference }),
  }
}

async function begin(world: World, scenario: Scenario): Promise<void> {
  const { rig, namespace, apiKey, endpoint, billingAccount } = world
  await rig.api.asAdmin('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
  if (world.plan.leaders === 'two') await allowLease(world)
  await carryOutStep(world, { do: 'secret', name: 'cloud-token', data: { apikey: apiKey } })
  bystanders(world)
  for (const wish of scenario.strangers ?? []) {
    const [id = ''] = world.service.control.mutate({ do: 'create', apiKey, ...wish }).ids
    world.strangers.set(wish.name ?? '', id)
  }
  const spec = {
    tokenSecretRef: { name: 'cloud-token', key: 'apikey' },
    endpoint,
    billingAccount,
    syncIntervalSeconds: SYNC_MS / 1_000,
    settleSeconds: SETTLE_MS / 1_000,
    limits: { requestsPerSecond: 1_000 },
    ...scenario.account,
  }
  await carryOutStep(world, { do: 'apply', objects: [{ kind: 'CloudAccount', name: 'default', spec }] })
  await note(world, 'begin', true)
  await world.start()
  if (world.plan.leaders === 'two') await world.start()
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

/** In the case's own namespace, as a cluster's administrator gives it. */
async function allowLease({ rig, namespace }: World): Promise<void> {
  const root = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`
  const metadata = { name: 'lease' }
  await rig.api.asAdmin('POST', `${root}/roles`, {
    metadata,
    rules: [
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
    ],
  })
  await rig.api.asAdmin('POST', `${root}/rolebindings`, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'lease' },
    subjects: [{ kind: 'ServiceAccount', name: 'cloud-operator', namespace: 'cloud-operator-system' }],
  })
}

async function carryOut(world: World, step: Step): Promise<void> {
  if (step.do === 'settle') await rest(world, STEP_LIMIT_MS)
  else if (step.do === 'wait') await sleep(realMs(step.ms))
  else await carryOutStep(world, step)
}

/** Until nothing is going on, and has not for a while; false when the time is up before. */
async function rest(world: World, limitMs: number): Promise<boolean> {
  const from = world.now()
  const isOver = (): boolean =>
    world.now() - Math.max(from, world.lastActivity()) > limitMs || world.now() - from > LONGEST_MS
  let since = world.now()
  let seen: { readonly state: Rest; readonly changes: number } | undefined
  while (!isOver()) {
    const now = { state: stateOf(world), changes: world.shadow.changes() }
    if (now.state !== seen?.state || now.changes !== seen.changes) since = world.now()
    seen = now
    const still = world.now() - Math.max(since, world.lastActivity())
    if (now.state !== 'busy' && still > (now.state === 'waiting' ? WAITING_MS : REST_MS)) return true
    await sleep(LOOK_MS)
  }
  return false
}

function stateOf(world: World): Rest {
  const objects = world.shadow.objects()
  return world.working() || objects.length === 0 ? restOf(objects) : 'busy'
}

/** Until nothing was done for a while: an interval and a half, on a machine that is as quick as it should be. */
async function stillness(world: World): Promise<void> {
  const from = world.now()
  const isOver = (): boolean =>
    world.now() - Math.max(from, world.lastActivity()) > LAST_WORDS_MS ||
    world.now() - from > LAST_WORDS_LIMIT_MS
  while (!isOver()) await sleep(LOOK_MS)
}

async function deleteAll(world: World): Promise<void> {
  for (const { kind, metadata } of world.shadow.objects()) {
    if (metadata.deletionTimestamp === undefined)
      await carryOutStep(world, { do: 'delete', object: { kind, name: metadata.name } })
  }
}

async function note(world: World, moment: MomentEntry['moment'], reached: boolean): Promise<void> {
  const objects = await listed(world)
  const inventory = world.service.control.inventory()
  world.entries.push({ is: 'moment', at: world.now(), moment, reached, inventory, objects })
}

/** As the server has them, whatever the rig believes. */
async function listed(world: World): Promise<readonly ModelObject[]> {
  const lists = await Promise.all(
    KINDS.map(async (kind) => {
      const list = await world.rig.api.asAdmin('GET', pathOf(world, kind))
      return isObject(list) ? (list['items'] as ModelObject[]) : []
    }),
  )
  return lists.flat()
}
