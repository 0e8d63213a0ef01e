/** Everything of a case but its timeline: a namespace, a service, processes, the troubles of the plan, the history. */
import { randomBytes } from 'node:crypto'
import { systemClock } from '../../../src/loop/clock.ts'
import { BILLING_ACCOUNT, OTHER_BILLING_ACCOUNT } from '../billing.ts'
import { createCloudService, type CloudService } from '../cloud/service.ts'
import type { Entry } from '../history.ts'
import type { Plan, Trouble } from '../plan.ts'
import { createTroubles, type Troubles } from '../troubles.ts'
import { startChild, type Child } from './child.ts'
import { startCloudProxy, type CloudProxy } from './cloud-proxy.ts'
import { startKubeProxy, type KubeProxy } from './kube-proxy.ts'
import { DURATIONS, LEASE_MS, pauseMs, realMs, TIMING } from './pace.ts'
import { carryOutStep } from './people.ts'
import type { Rig } from './rig.ts'
import { createShadow, type Shadow } from './shadow.ts'
import { createStreams } from './streams.ts'

export interface World {
  readonly plan: Plan
  readonly rig: Rig
  readonly namespace: string
  readonly endpoint: string
  readonly service: CloudService
  readonly troubles: Troubles
  readonly shadow: Shadow
  readonly entries: Entry[]
  readonly apiKey: string
  readonly billingAccount: number
  readonly secrets: string[]
  /** Cloud ids of the scenario's strangers by name. */
  readonly strangers: Map<string, string>
  readonly lines: string[]
  /** Milliseconds since the start. */
  now(): number
  /** Starts another process. */
  start(): Promise<void>
  /** Whether a process is at work (it reconciles, and has asked the service for something), and none stands still. */
  working(): boolean
  /** When a process last changed anything, in the cloud or in the cluster, the lease aside. */
  lastActivity(): number
  /** Nobody makes anything new any more: everything is to be deleted. */
  over(): boolean
  finish(): void
  /** Ends all processes and servers of the case. */
  end(): Promise<void>
}

const RESTART_MS = 5_000
const LEASE_NAME = 'cloud-operator'

export async function createWorld(plan: Plan, rig: Rig): Promise<World> {
  const startedAt = performance.now()
  const now = (): number => performance.now() - startedAt
  const namespace = `faults-${randomBytes(5).toString('hex')}`
  const { seed, profile } = plan
  const service = createCloudService({ profile, seed, clock: systemClock, now, timing: TIMING })
  const { apiKey, billingAccount } = service.control.createAccount({
    billingAccounts: [BILLING_ACCOUNT, OTHER_BILLING_ACCOUNT],
  })
  const entries: Entry[] = []
  const secrets = [apiKey]
  const lines: string[] = []
  const shadow = createShadow()
  const streams = createStreams()
  const children: Child[] = []
  const proxies: KubeProxy[] = []
  const asking = new Set<number>()
  let activity = 0
  let finished = false
  let ended = false
  let starting = 0
  let started = 0

  const troubles = createTroubles(plan.perturbations, (perturbation) =>
    entries.push({ is: 'trouble', at: now(), perturbation }),
  )
  const living = (): readonly Child[] => children.filter((each) => each.alive())
  const leaseHolder = (): number | undefined => {
    const holder = shadow.get('Lease', LEASE_NAME)?.spec?.['holderIdentity']
    return typeof holder === 'string' ? Number(/^process-(\d+)_/.exec(holder)?.[1] ?? 0) : undefined
  }
  const startLater = (planMs: number): void => {
    starting += 1
    setTimeout(() => {
      starting -= 1
      if (!ended) start().catch(broke)
    }, realMs(planMs))
  }

  const broke = (error: unknown): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    entries.push({ is: 'log', at: now(), process: started, level: 'error', text })
  }

  async function meet(trouble: Trouble, child: Child | undefined): Promise<void> {
    if ('kill' in trouble) {
      if (child?.alive() !== true) return
      child.kill()
      entries.push({ is: 'process', at: now(), process: child.number, what: 'killed' })
      startLater(trouble.restartMs ?? RESTART_MS)
    } else if ('pauseMs' in trouble && child?.alive() === true) {
      entries.push({ is: 'process', at: now(), process: child.number, what: 'paused' })
      child.pause(pauseMs(trouble.pauseMs))
    } else if ('person' in trouble) await carryOutStep(world, trouble.person)
    else if ('watch' in trouble) streams.disturb(trouble.watch, trouble.kind)
  }

  async function start(): Promise<void> {
    const number = ++started
    starting += 1
    const proxy = await startKubeProxy({
      api: rig.api,
      troubles,
      shadow,
      streams,
      now,
      number,
      child: () => children.find((each) => each.number === number),
      record: (entry) => {
        if (entry.kind !== 'Lease') activity = now()
        entries.push(entry)
      },
      meet,
    })
    proxies.push(proxy)
    const flags = flagsFor(await rig.kubeconfigFor(proxy.url))
    starting -= 1
    if (ended) return
    entries.push({ is: 'process', at: now(), process: number, what: 'started' })
    const child = startChild({
      number,
      bundle: rig.bundle,
      flags,
      environment: rig.environment,
      line: (line) => keepsLines && lines.push(line),
      complain: (level, text) => entries.push({ is: 'log', at: now(), process: number, level, text }),
      gone: (code) => {
        rig.watchdog.drop(child.pid)
        entries.push({ is: 'process', at: now(), process: number, what: 'lost' })
        // 1 is how a process ends that has lost its lease.
        if (code !== 1 || plan.leaders !== 'two') {
          const text = `the operator ended by itself with ${code}`
          entries.push({ is: 'log', at: now(), process: number, level: 'error', text })
        }
        startLater(RESTART_MS)
      },
    })
    rig.watchdog.add(child.pid)
    children.push(child)
  }

  const keepsLines = seed % 4 === 0
  const flagsFor = (kubeconfig: string): string[] => [
    `--kubeconfig=${kubeconfig}`,
    `--namespace=${namespace}`,
    `--allow-endpoint=${cloud.url}`,
    '--health-port=0',
    '--metrics-port=0',
    `--log-level=${keepsLines ? 'trace' : 'info'}`,
    `--durations=${JSON.stringify(DURATIONS)}`,
    ...(plan.leaders === 'two'
      ? [
          `--lease-namespace=${namespace}`,
          `--lease-name=${LEASE_NAME}`,
          `--lease-durations=${LEASE_MS.join()}`,
        ]
      : ['--leader-elect=false']),
  ]

  const cloud: CloudProxy = await startCloudProxy({
    service,
    troubles,
    now,
    children: () => children,
    leaseHolder,
    record: (entry) => {
      asking.add(entry.process)
      if (entry.mutation) activity = now()
      entries.push(entry)
    },
    meet,
  })

  const world: World = {
    plan,
    rig,
    namespace,
    endpoint: cloud.url,
    service,
    troubles,
    shadow,
    entries,
    apiKey,
    billingAccount,
    secrets,
    strangers: new Map(),
    lines,
    now,
    start,
    working: () =>
      starting === 0 &&
      !children.some((each) => each.paused()) &&
      children.some((each) => each.working() && asking.has(each.number)),
    lastActivity: () => activity,
    over: () => finished,
    finish: () => void (finished = true),
    end: async () => {
      ended = true
      for (const each of living()) each.kill()
      await Promise.all(children.map((each) => each.ended))
      for (const each of children) rig.watchdog.drop(each.pid)
      for (const each of proxies) each.close()
      cloud.close()
    },
  }
  return world
}
