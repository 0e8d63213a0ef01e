/** Starts everything the demo needs and takes it down again: API server, simulator, operator. */
import { mkdtempSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { createAdminClient, type AdminClient } from '../../src/simulator/admin-client.ts'
import { runKubectl, type KubectlResult } from '../controlplane/kubectl.ts'
import { startControlPlane, type ControlPlane } from '../controlplane/start.ts'
import { startWatchdog, type Watchdog } from '../controlplane/watchdog.ts'
import { installOperator } from './install.ts'
import { runScript, startProgram, type Program } from './program.ts'

export const NAMESPACE = 'demo'

export interface Stage {
  readonly plane: ControlPlane
  /** Path; of the admin, in the demo's namespace. */
  readonly kubeconfig: string
  readonly simulator: Program & { readonly url: string; readonly adminUrl: string }
  readonly operator: Program
  readonly admin: AdminClient
  /** An account at the simulated service, for the examples. */
  readonly account: { readonly apiKey: string; readonly billingAccount: number }
  /** kubectl in the demo's namespace. Never rejects. */
  kubectl(args: readonly string[], input?: string): Promise<KubectlResult>
  pids(): { readonly name: string; readonly pid: number }[]
}

export interface StageOptions {
  readonly say: (line: string) => void
  /** Stops the start, not the stage. */
  readonly signal: AbortSignal
  /** Told what the operator is started with. */
  readonly logLevel: 'info' | 'debug'
}

const root = join(import.meta.dirname, '../..')
const bundle = join(root, 'dist/cloud-operator.mjs')

/** A VM takes 33 s at real pace: 2.6 s here. */
const timing = '0.08'
const stopLimitMs = 15_000
/** Calls under way are received first; none takes longer here. */
const drainSeconds = 10

/** Everything that was begun, last first; emptied by `end`. */
type Undo = (() => Promise<void>)[]

/**
 * Starts everything and gives it to `use`; whatever comes of that, nothing is left of it then: no process, no file.
 * When this process is killed, the watchdogs see to the same.
 */
export async function onStage<T>(options: StageOptions, use: (stage: Stage) => Promise<T>): Promise<T> {
  const undo: Undo = []
  try {
    return await use(await startStage(options, undo))
  } finally {
    options.say('taking everything down')
    await takeDown(undo, options.say)
  }
}

/** Goes on when a step fails, and fails with the first failure then. */
async function takeDown(undo: Undo, say: StageOptions['say']): Promise<void> {
  const failures: unknown[] = []
  for (const step of undo.reverse()) await step().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new Error('not everything could be stopped', { cause: failures[0] })
  say('stopped: no process and no file is left')
}

async function startStage({ say, signal, logLevel }: StageOptions, undo: Undo): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), 'cloud-operator-demo-'))
  const watchdog = startWatchdog(directory)
  undo.push(async () => {
    await watchdog.end()
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  })
  const run = (script: string) => runScript(join(root, script), say, directory, watchdog, signal)
  say('looking for the binaries of the API server (built when there are none: once, some minutes)')
  await run('test/controlplane/binaries.ts')
  say('bundling the operator')
  await run('test/setup/bundle.ts')

  say('starting etcd and the API server')
  const plane = await startControlPlane({ say, directory: join(directory, 'control-plane') })
  undo.push(() => plane.stop())
  signal.throwIfAborted()
  const kubeconfig = await writeKubeconfig(plane, directory)
  say(
    'installing from deploy/: namespace, CRDs, RBAC, admission policies (not the Deployment: the operator runs here)',
  )
  await installOperator(plane, root, signal)

  const simulator = await startSimulator(directory, watchdog, undo, signal)
  say(`the simulated cloud answers at ${simulator.url}`)
  const admin = createAdminClient(simulator.adminUrl)
  const account = await admin.createAccount()
  const operator = await startOperator({
    plane,
    endpoint: simulator.url,
    directory,
    watchdog,
    undo,
    signal,
    logLevel,
  })
  say('the operator runs and leads')
  return {
    ...{ plane, kubeconfig, simulator, operator, admin, account },
    kubectl: (args, input) => runKubectl(plane, args, { kubeconfig, ...(input !== undefined && { input }) }),
    pids: () => [
      ...plane.pids().map((pid) => ({ name: 'control plane', pid })),
      ...[simulator, operator].map(({ name, pid }) => ({ name, pid })),
      { name: 'watchdog', pid: watchdog.pid },
    ],
  }
}

/** The admin's, with the demo's namespace as the usual one. */
async function writeKubeconfig(plane: ControlPlane, directory: string): Promise<string> {
  const config = parse(await readFile(plane.adminKubeconfig, 'utf8')) as {
    contexts: { context: Record<string, string> }[]
  }
  for (const { context } of config.contexts) context['namespace'] = NAMESPACE
  const path = join(directory, 'kubeconfig')
  await writeFile(path, stringify(config), { mode: 0o600 })
  return path
}

async function startSimulator(
  directory: string,
  watchdog: Watchdog,
  undo: Undo,
  signal: AbortSignal,
): Promise<Stage['simulator']> {
  const program = startProgram('simulator', [bundle, 'simulate', `--timing=${timing}`], directory, watchdog)
  undo.push(() => program.stop(stopLimitMs))
  const named = (name: string) =>
    program.printed(
      (line) => (line.startsWith(`${name}:`) ? line.slice(name.length + 1).trim() : undefined),
      signal,
    )
  return { ...program, url: await named('url'), adminUrl: await named('admin url') }
}

interface OperatorOptions {
  readonly plane: ControlPlane
  readonly endpoint: string
  readonly directory: string
  readonly watchdog: Watchdog
  readonly undo: Undo
  readonly signal: AbortSignal
  readonly logLevel: string
}

/** As shipped: with the rights of deploy/rbac.yaml and a lease. Resolves when it leads. */
async function startOperator(o: OperatorOptions): Promise<Program> {
  const flags = [
    `--kubeconfig=${o.plane.operatorKubeconfig}`,
    `--allow-endpoint=${o.endpoint}`,
    `--log-level=${o.logLevel}`,
    `--drain-seconds=${drainSeconds}`,
    '--health-port=0',
    '--metrics-port=0',
  ]
  const program = startProgram('operator', [bundle, 'run', ...flags], o.directory, o.watchdog)
  o.undo.push(() => program.stop(stopLimitMs))
  await program.printed((line) => (line.includes('"message":"reconciling"') ? line : undefined), o.signal)
  return program
}
