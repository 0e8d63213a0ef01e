/** Everything of a run but the timeline: time, API server, service, processes, the troubles of the plan, the history. */
import { API_VERSION, KINDS } from '../../src/api/group.ts'
import { kindSchemas } from '../../src/api/kinds.ts'
import type { Clock } from '../../src/loop/clock.ts'
import { BILLING_ACCOUNT, OTHER_BILLING_ACCOUNT } from './billing.ts'
import { createCloudPort } from './cloud/port.ts'
import { createCloudService, type CloudService } from './cloud/service.ts'
import type { CallEntry, Entry } from './history.ts'
import { createKubeModel, type Backup, type KubeModel } from './kube/model.ts'
import { createKubePort } from './kube/port.ts'
import { resourceOf } from './kube/resources.ts'
import { createKubeServer } from './kube/server.ts'
import { createStreams, type Streams } from './kube/streams.ts'
import { launch } from './launch.ts'
import { carryOutStep } from './people.ts'
import type { Plan, Trouble } from './plan.ts'
import { createProcess, EPOCH_MS, type Process } from './process.ts'
import { createRandom, seedFor } from './random.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { createTroubles, type Troubles } from './troubles.ts'

export interface World {
  readonly plan: Plan
  readonly scheduler: Scheduler
  readonly model: KubeModel
  readonly service: CloudService
  readonly troubles: Troubles
  readonly entries: Entry[]
  readonly apiKey: string
  readonly billingAccount: number
  readonly secrets: string[]
  /** Cloud ids of the scenario's strangers by name. */
  readonly strangers: Map<string, string>
  /** Lines of the log, when they are kept. */
  readonly lines: string[]
  /** Starts another process. */
  start(): void
  /** Whether any process lives. */
  living(): boolean
  /** Writes of our kinds so far. */
  changes(): number
  /** Whether a living process waits for the answer to a change. */
  waitsForChange(): boolean
  /** Whether a change is still on its way that nobody waits for any more. */
  landsLater(): boolean
  /** Something may not have been noticed yet: a watch was disturbed. */
  mayBeDeaf(): boolean
  /** Nobody makes anything new any more: everything is to be deleted. */
  over(): boolean
  end(): void
}

/** Where the simulated service seems to be. */
export const ENDPOINT = 'https://cloud.example'
export const NAMESPACE = 'work'
const LEASE = { namespace: 'operator', name: 'cloud-operator' }

export function createWorld(plan: Plan): World {
  const { seed, profile } = plan
  const scheduler = createScheduler(createRandom(seedFor(seed, 'ties')))
  const random = createRandom(seedFor(seed, 'delays'))
  const uids = createRandom(seedFor(seed, 'uids'))
  const entries: Entry[] = []
  const lines: string[] = []
  const wall = (): number => EPOCH_MS + scheduler.now()
  const model = createKubeModel({ now: wall, newUID: () => uuid(uids.hex(16)) })
  model.subscribe(({ resource }) => void (changes += resource.ours === undefined ? 0 : 1))
  const server = createKubeServer(model)
  const streams = createStreams(model, scheduler, () => 1 + random.next() * 8)
  const backups = keepBackups(plan, model, scheduler)
  const service = createCloudService({
    profile,
    seed,
    clock: serviceClock(scheduler, wall),
    now: () => scheduler.now(),
  })
  const { apiKey, billingAccount } = service.control.createAccount({
    billingAccounts: [BILLING_ACCOUNT, OTHER_BILLING_ACCOUNT],
  })
  const troubles = createTroubles(plan.perturbations, (perturbation) =>
    entries.push({ is: 'trouble', at: scheduler.now(), perturbation }),
  )
  const living = new Set<Process>()
  const secrets = [apiKey]
  let started = 0
  let ended = false
  let disturbed = false
  let changes = 0
  let lastLanding = Number.NEGATIVE_INFINITY
  const open = new Set<CallEntry>()
  const alive = (number: number): boolean => [...living].some((each) => each.number === number)

  function meet(trouble: Trouble, process: Process): void {
    if ('kill' in trouble) {
      kill(process, trouble.kill === 'answered' ? scheduler.now() : undefined)
      scheduler.after(trouble.restartMs ?? RESTART_MS, 'restart', start)
    } else if ('pauseMs' in trouble) {
      // Its timers come late by as much.
      if (trouble.suspended === true) disturbed = true
      process.pause(trouble.pauseMs, trouble.suspended === true)
      entries.push({ is: 'process', at: scheduler.now(), process: process.number, what: 'paused' })
    } else if ('clockStepMs' in trouble) for (const each of living) each.stepClock(trouble.clockStepMs)
    else if ('person' in trouble) carryOutStep(world, trouble.person)
    else if ('restoreEtcd' in trouble) {
      disturbed = true
      if (trouble.restoreEtcd.overtaken !== true) streams.keepLostDeaf()
      model.restore(backups.before(scheduler.now() - trouble.restoreEtcd.agoMs))
      streams.endAll()
      othersWrite(model, scheduler)
    } else if ('watch' in trouble) {
      disturbed = true
      disturb(streams, trouble)
    }
  }

  function kill(process: Process, since: number | undefined): void {
    if (!living.delete(process)) return
    process.kill(since)
    entries.push({ is: 'process', at: scheduler.now(), process: process.number, what: 'killed' })
  }

  function leaseHolder(): number | undefined {
    const lease = model.get(resourceOf('Lease'), LEASE.namespace, LEASE.name)
    const holder = lease?.spec?.['holderIdentity']
    return typeof holder === 'string' ? Number(/^process-(\d+)_/.exec(holder)?.[1] ?? 0) : undefined
  }

  function start(): void {
    const process = createProcess(++started, scheduler, seedFor(seed, `process ${started}`))
    living.add(process)
    entries.push({ is: 'process', at: scheduler.now(), process: process.number, what: 'started' })
    const common = { process, scheduler, random, troubles, meet }
    const kube = createKubePort({ ...common, model, server, streams, record: (entry) => entries.push(entry) })
    const cloud = createCloudPort({
      ...common,
      service,
      leaseHolder,
      landsAt: (at) => void (lastLanding = Math.max(lastLanding, at)),
      record: (entry) => {
        entries.push(entry)
        if (entry.mutation) open.add(entry)
      },
    })
    launch({
      process,
      kube,
      cloud,
      lease: { ...LEASE, enabled: plan.leaders === 'two' },
      endpoint: ENDPOINT,
      complain: (level, text) =>
        entries.push({ is: 'log', at: scheduler.now(), process: process.number, level, text }),
      ...(keepsLines(plan) && { say: (line: string) => lines.push(line) }),
      lost: () => {
        entries.push({ is: 'process', at: scheduler.now(), process: process.number, what: 'lost' })
        living.delete(process)
        scheduler.after(RESTART_MS, 'restart', start)
      },
    })
  }

  const world: World = {
    plan,
    scheduler,
    model,
    service,
    troubles,
    entries,
    apiKey,
    billingAccount,
    secrets,
    strangers: new Map(),
    lines,
    start,
    living: () => living.size > 0,
    changes: () => changes,
    waitsForChange: () => {
      for (const call of open) if (call.seen !== undefined || !alive(call.process)) open.delete(call)
      return open.size > 0
    },
    landsLater: () => scheduler.now() <= lastLanding,
    mayBeDeaf: () => disturbed,
    over: () => ended,
    end: () => void (ended = true),
  }
  furnish(world)
  return world
}

const RESTART_MS = 5_000

/** Cleaning every line of the log costs more than the rest of a run: every 16th keeps them. */
function keepsLines({ seed }: Plan): boolean {
  return seed % 16 === 0
}

/** What is in every cluster before us: namespaces, CRDs, the account's Secret. */
function furnish({ model, apiKey }: World): void {
  for (const name of ['kube-system', NAMESPACE, LEASE.namespace]) {
    model.create(resourceOf('Namespace'), '', { metadata: { name } })
  }
  for (const kind of KINDS) {
    const { plural } = kindSchemas[kind]
    const name = `${plural}.${API_VERSION.split('/')[0] ?? ''}`
    model.create(resourceOf('CustomResourceDefinition'), '', { metadata: { name } })
  }
  const data = { apikey: Buffer.from(apiKey).toString('base64') }
  model.create(resourceOf('Secret'), NAMESPACE, { metadata: { name: 'cloud-token' }, data })
}

/** The service's own time: it goes on whatever becomes of our processes. */
function serviceClock(scheduler: Scheduler, wall: () => number): Clock {
  return {
    now: wall,
    monotonic: () => scheduler.now(),
    after: (ms, callback) => scheduler.after(ms, 'service', callback),
    sleep: (ms) => new Promise((resolve) => void scheduler.after(ms, 'service', resolve)),
    yield: () => Promise.resolve(),
    random: () => 0.5,
    randomHex: (bytes) => '0'.repeat(bytes * 2),
  }
}

function disturb(streams: Streams, { watch, kind }: Extract<Trouble, { watch: unknown }>): void {
  if (watch === 'dead') streams.deafen(kind)
  else if (watch === 'ended') streams.endAll(kind)
  else if (watch === 'gone') streams.expire(kind)
  else streams.delay(kind, watch.delayMs)
}

/** In every cluster somebody writes all the time: so the versions pass the lost ones again. */
const OTHERS_MS = 10_000

function othersWrite(model: KubeModel, scheduler: Scheduler): void {
  const [lease, namespace, name] = [resourceOf('Lease'), 'kube-system', 'kube-controller-manager']
  const renew = (): void => {
    const spec = { renewTime: String(scheduler.now()) }
    if (model.get(lease, namespace, name) === undefined)
      model.create(lease, namespace, { metadata: { name }, spec })
    else model.patch(lease, namespace, name, { spec })
    scheduler.after(OTHERS_MS, 'others write', renew)
  }
  renew()
}

/** Backups after every write, when the plan wants to go back to one; never to before an object of ours was made. */
function keepBackups(plan: Plan, model: KubeModel, scheduler: Scheduler): { before(at: number): Backup } {
  const kept: { readonly at: number; readonly backup: Backup }[] = []
  if (plan.perturbations.some((each) => 'restoreEtcd' in each.do))
    model.subscribe(({ type, resource }) => {
      if (type === 'ADDED' && resource.ours !== undefined) kept.length = 0
      kept.push({ at: scheduler.now(), backup: model.backup() })
    })
  return { before: (at) => (kept.findLast((each) => each.at <= at) ?? kept[0])?.backup ?? model.backup() }
}

function uuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
