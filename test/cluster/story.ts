/**
 * A stage for stories: a namespace of its own, a simulator, an operator that watches only that namespace, and kubectl.
 * Every status the operator ever writes there is checked against the rules; `end` fails when one was broken.
 */
import { randomBytes } from 'node:crypto'
import { inject, vi } from 'vitest'
import { KINDS } from '../../src/api/group.ts'
import { startSimulator, type RunningSimulator, type SimulatorOptions } from '../../src/simulator/server.ts'
import type { Profile } from '../../src/simulator/state/model.ts'
import type { StatusBearer } from '../support/status-rules.ts'
import { installOperator } from './install.ts'
import { freshNamespace, kubectlAs, manifest, succeeded, type Kubectl } from './kubectl.ts'
import { watchObjects } from './objects.ts'
import type { SharedControlPlane } from './setup.ts'
import { startProgram, type Program } from './program.ts'

export interface AnyObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly uid: string
    readonly generation: number
    readonly resourceVersion: string
    readonly deletionTimestamp?: string
    readonly finalizers?: readonly string[]
  }
  readonly spec: Record<string, unknown>
  readonly status?: StatusBearer['status'] & Record<string, unknown>
}

export interface Story {
  readonly namespace: string
  readonly simulator: RunningSimulator
  /** What the simulated service is like. */
  readonly profile: Profile
  readonly kubectl: Kubectl
  /** The account at the simulated service that CloudAccount default uses. */
  readonly account: { readonly apiKey: string; readonly userId: number; readonly billingAccount: number }
  operator: Program
  /** The lines that its operators have logged, those that have ended included. */
  logs(): readonly string[]
  /** Every status that its objects have had, as JSON. */
  statuses(): readonly string[]
  /** Applies manifests; fails with what kubectl said. */
  apply(...manifests: readonly string[]): Promise<void>
  /** kubectl that must succeed; what it printed. */
  run(...args: readonly string[]): Promise<string>
  /** kubectl that must fail; what it complained about. */
  refused(args: readonly string[], input?: string): Promise<string>
  get(kind: string, name: string): Promise<AnyObject | undefined>
  /** Waits until the object satisfies `holds`; the failure shows its last state. */
  until(
    kind: string,
    name: string,
    what: string,
    holds: (object: AnyObject) => boolean,
    timeoutMs?: number,
  ): Promise<AnyObject>
  ready(kind: string, name: string): Promise<AnyObject>
  /** Waits until the Ready condition has this reason at the current generation. */
  reason(kind: string, name: string, reason: string): Promise<AnyObject>
  gone(kind: string, name: string): Promise<void>
  edit(kind: string, name: string, patch: unknown): Promise<void>
  /** Starts another operator process of this story (a second replica, or one after a kill). */
  start(flags?: readonly string[]): Promise<Program>
  end(): Promise<void>
}

export interface StoryOptions {
  /** Absent: the project's. */
  readonly profile?: Profile
  readonly timing?: SimulatorOptions['timing']
  /** Scaled time: settle 3 s, sync 2 s unless given. */
  readonly durations?: Readonly<Record<string, number>>
  readonly settleSeconds?: number
  readonly syncIntervalSeconds?: number
  readonly accountSpec?: Readonly<Record<string, unknown>>
  /** Of the account at the service; the first is the CloudAccount's. Absent: one. */
  readonly billingAccounts?: readonly number[]
  /** Do not start an operator yet. */
  readonly withoutOperator?: boolean
  /** Elect a leader, on a lease in the story's namespace, with these durations. */
  readonly lease?: string
  /** A control plane of the story's own; absent: the shared one. */
  readonly plane?: SharedControlPlane
}

/** A tenth of a second here is a second there. */
const DURATIONS = {
  pollMs: 100,
  pollMaxMs: 500,
  intentMs: 4_000,
  notSentMs: 200,
  quotaMs: 2_000,
  secretWaitMs: 500,
  accountScale: 0.1,
}

export async function startStory(purpose: string, options: StoryOptions = {}): Promise<Story> {
  const plane = options.plane ?? inject('controlPlane')
  const bundle = inject('bundle')
  await installOperator(plane)
  const profile = options.profile ?? inject('profile')
  const simulator = await startSimulator({
    profile,
    ...(options.timing !== undefined && { timing: options.timing }),
  })
  const { name: namespace, cleanUp } = await freshNamespace(plane, purpose)
  const kubectl = kubectlAs(plane, 'admin', namespace)
  const objects = watchObjects(plane.adminKubeconfig, namespace)
  const programs: Program[] = []
  const flags = [
    `--kubeconfig=${plane.operatorKubeconfig}`,
    `--namespace=${namespace}`,
    `--allow-endpoint=${simulator.url}`,
    '--health-port=0',
    '--metrics-port=0',
    '--log-level=debug',
    `--durations=${JSON.stringify({ ...DURATIONS, ...options.durations })}`,
    ...(options.lease === undefined
      ? ['--leader-elect=false']
      : [`--lease-namespace=${namespace}`, `--lease-durations=${options.lease}`]),
  ]
  const run = async (...args: readonly string[]) => succeeded(await kubectl(args))
  const get = async (kind: string, name: string): Promise<AnyObject | undefined> => {
    const ours = KINDS.find((each) => each.toLowerCase() === kind.toLowerCase())
    // Looked at many times a second while a story waits: a process for each look would keep a core busy.
    if (ours !== undefined) return objects.get(ours, name)
    const text = await run('get', kind, name, '-o', 'json', '--ignore-not-found')
    return text === '' ? undefined : (JSON.parse(text) as AnyObject)
  }
  const until: Story['until'] = async (kind, name, what, holds, timeoutMs = 60_000) => {
    let last: AnyObject | undefined
    try {
      return await vi.waitFor(
        async () => {
          last = await get(kind, name)
          if (last === undefined || !holds(last)) throw new Error('not yet')
          return last
        },
        { timeout: timeoutMs, interval: 150 },
      )
    } catch {
      throw new Error(
        `${kind} ${name} did not become: ${what}\n${JSON.stringify(last?.status, null, 1)}\n${story.operator.lines.slice(-15).join('\n')}`,
      )
    }
  }
  const start = async (extra: readonly string[] = []) => {
    const program = await startProgram(bundle, [...flags, ...extra])
    programs.push(program)
    return program
  }

  const { billingAccounts } = options
  const account = simulator.control.createAccount(
    billingAccounts === undefined ? {} : { billingAccounts: [...billingAccounts] },
  )
  await applyAccount(kubectl, simulator, account, options)
  if (options.lease !== undefined) await allowLease(kubectl, namespace)
  const story: Story = {
    namespace,
    simulator,
    profile,
    kubectl,
    account,
    operator: undefined as unknown as Program,
    logs: () => programs.flatMap(({ lines }) => lines),
    statuses: () => objects.statuses(),
    apply: async (...manifests) => {
      succeeded(await kubectl(['apply', '-f', '-'], manifests.join('\n---\n')))
    },
    run,
    refused: async (args, input) => {
      const { code, stdout, stderr } = await kubectl(args, input)
      if (code === 0) throw new Error(`kubectl ${args.join(' ')} was not refused: ${stdout}`)
      return stderr
    },
    get,
    until,
    ready: (kind, name) =>
      until(
        kind,
        name,
        'Ready',
        (each) =>
          settled(each) &&
          conditionOf(each, 'Ready')?.status === 'True' &&
          conditionOf(each, 'Synced')?.status === 'True',
      ),
    reason: (kind, name, reason) =>
      until(
        kind,
        name,
        `reason ${reason}`,
        (each) => settled(each) && conditionOf(each, 'Ready')?.reason === reason,
      ),
    gone: async (kind, name) => {
      await vi.waitFor(
        async () => {
          const found = await get(kind, name)
          if (found !== undefined)
            throw new Error(
              `${kind} ${name} is still there: ${JSON.stringify(found.status, null, 1)}\n${story.operator.lines.slice(-15).join('\n')}`,
            )
        },
        { timeout: 60_000, interval: 150 },
      )
    },
    edit: async (kind, name, patch) => {
      await run('patch', kind, name, '--type=merge', `--patch=${JSON.stringify(patch)}`)
    },
    start,
    async end() {
      for (const program of programs) await program.stop('SIGKILL')
      const broken = await objects.stop()
      await simulator.stop()
      await cleanUp()
      if (broken.length > 0) throw new Error(`statuses broke rules:\n${broken.join('\n')}`)
    },
  }
  if (options.withoutOperator !== true) story.operator = await start()
  return story
}

export function conditionOf(object: AnyObject, type: string) {
  return object.status?.conditions?.find((each) => each.type === type)
}

function settled(object: AnyObject): boolean {
  return object.status?.observedGeneration === object.metadata.generation
}

async function applyAccount(
  kubectl: Kubectl,
  simulator: RunningSimulator,
  { apiKey, billingAccount }: Story['account'],
  options: StoryOptions,
): Promise<void> {
  const secret = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cloud-token' },
    stringData: { apikey: apiKey },
  })
  const account = manifest('CloudAccount', 'default', {
    tokenSecretRef: { name: 'cloud-token', key: 'apikey' },
    endpoint: simulator.url,
    billingAccount,
    syncIntervalSeconds: options.syncIntervalSeconds ?? 20,
    settleSeconds: options.settleSeconds ?? 30,
    limits: { requestsPerSecond: 1000 },
    ...options.accountSpec,
  })
  succeeded(await kubectl(['apply', '-f', '-'], `${secret}\n---\n${account}`))
}

async function allowLease(kubectl: Kubectl, namespace: string): Promise<void> {
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'lease' },
    rules: [
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
    ],
  }
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'lease' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'lease' },
    subjects: [{ kind: 'ServiceAccount', name: 'cloud-operator', namespace: 'cloud-operator-system' }],
  }
  succeeded(
    await kubectl(
      ['apply', '-n', namespace, '-f', '-'],
      `${JSON.stringify(role)}\n---\n${JSON.stringify(binding)}`,
    ),
  )
}

/** A name nothing else in a shared control plane has. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(3).toString('hex')}`
}
