/** Assembles the parts into a running operator and takes them down in order. */
import { KINDS, type Kind as KindName } from './api/group.ts'
import type { ObservedCall } from './cloud/attempt.ts'
import type { Transport } from './cloud/wire.ts'
import { CloudError } from './cloud/errors.ts'
import { ConfigError, type Config } from './config.ts'
import { createConnections } from './kinds/account/act.ts'
import { accountReconciler } from './kinds/account/kind.ts'
import { ownKinds, pipelineKinds } from './kinds/all.ts'
import { vmOperationReconciler } from './kinds/vmoperation/run.ts'
import { loadCredentials } from './kube/credentials.ts'
import { isKubeError, KubeError } from './kube/errors.ts'
import { createEventRecorder } from './kube/events.ts'
import { startLease, type Lease } from './kube/lease.ts'
import { createInterruptions } from './kube/interruptions.ts'
import { startReflector, type Reflector } from './kube/reflector.ts'
import { createKubeClient, type KubeClient } from './kube/requests.ts'
import { createKubeTransport, type KubeTransport } from './kube/transport.ts'
import type { Clock } from './loop/clock.ts'
import { startController, type Controller, type ExpectedFailure } from './loop/controller.ts'
import { Queue } from './loop/queue.ts'
import { createAccounts } from './reconcile/accounts.ts'
import { createAges } from './reconcile/ages.ts'
import { createAttempts } from './reconcile/attempts.ts'
import { keyOf, type Environment } from './reconcile/environment.ts'
import { createLocks } from './reconcile/locks.ts'
import { createProofs } from './reconcile/proof.ts'
import { reconciler } from './reconcile/reconcile.ts'
import { createReferences, INDEX } from './reconcile/references.ts'
import { resourceType } from './reconcile/resource.ts'
import { createSecrets } from './reconcile/secrets.ts'
import { createUnanswered } from './reconcile/unanswered.ts'
import { startHealth, type Health } from './telemetry/health.ts'
import type { Log } from './telemetry/log.ts'
import { createMetrics, type Metrics } from './telemetry/metrics.ts'
import type { Redactor } from './telemetry/redact.ts'
import { createStores, wakeOnChange } from './watch.ts'

export interface RunningOperator {
  readonly healthPort: number
  readonly metricsPort: number
  /** Not ready → no new passes → lease released at once → calls in flight received and recorded, at most `drainMs`. */
  stop(): Promise<void>
  /** Resolves with a reason when the lease was lost: the process is to end with a failure. */
  readonly lost: Promise<string>
}

/** Where the operator meets the world, besides its clock and its log. */
export interface Ports {
  readonly kube: KubeTransport
  readonly health: Health
  /** Absent: HTTP to the account's endpoint. */
  readonly cloud?: (endpoint: string) => Transport
}

export interface OperatorOptions {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly redactor: Redactor
  /** Absent: the configured API server, and servers for health and metrics. */
  readonly ports?: Ports
}

/** Starts everything; passes begin once the stores are in and the lease is held. Throws ConfigError, CredentialsError. */
export async function startOperator({
  config,
  clock,
  log,
  redactor,
  ports: given,
}: OperatorOptions): Promise<RunningOperator> {
  const metrics = createMetrics()
  const ports = given ?? (await openPorts(config, clock, log, metrics))
  const { kube: transport, health } = ports
  const kube = createKubeClient({ clock, log, metrics, transport })
  const abort = new AbortController()
  const kinds = [...pipelineKinds, ...ownKinds]
  const watched = createStores(kinds)
  const references = createReferences(watched.live)
  const queues = Object.fromEntries(KINDS.map((kind) => [kind, new Queue(clock)])) as Record<KindName, Queue>
  const identity = `${config.identity}_${clock.randomHex(4)}`
  const recorder = createEventRecorder({
    client: kube,
    controller: 'cloud-operator',
    instance: identity,
    clock,
    countMs: config.durations.eventCountMs,
    log,
    metrics,
    redactor,
  })
  const connections = createConnections({
    clock,
    scale: config.durations.accountScale,
    observeCall: (call) => observe(metrics, call),
    log,
    ...(ports.cloud !== undefined && { transport: ports.cloud }),
  })
  const setOrphans = metrics.gauge(
    'orphans',
    "Cloud objects with this cluster's marker that belong to nobody",
    [],
  )
  const countOrphans = (count: number) => setOrphans({}, count)
  let lease: Lease | undefined
  let stopping = false
  const leading = () => !stopping && (lease?.held() ?? !config.lease.enabled)

  const env: Environment = {
    clock,
    log,
    redact: (text) => redactor.clean(text),
    kube,
    clusterID: config.clusterID ?? (await readClusterID(kube, clock, log)),
    ofOneNamespace: config.namespace !== undefined,
    durations: config.durations,
    stores: watched.live,
    references,
    locks: createLocks(),
    proofs: createProofs(clock),
    ages: createAges(clock, config.durations.intentMs),
    attempts: createAttempts(clock),
    unanswered: createUnanswered(clock),
    unbegun: new Set(),
    slowFieldsAt: new Map(),
    secrets: createSecrets(kube, clock, log),
    accounts: createAccounts(
      (key) => {
        for (const kind of kinds) {
          for (const object of watched.live[kind.kind].byIndex(INDEX.account, key))
            queues[kind.kind].add(keyOf(object), 'requeue')
        }
      },
      (key) => watched.live.CloudAccount.get(key) !== undefined,
    ),
    leading,
    wake: (kind, key, afterMs) => queues[kind].add(key, 'requeue', afterMs),
    wrote: (kind, object) => watched.live[kind].wrote(object),
    conflicted: (kind, object) => watched.live[kind].conflicted(object),
    released: (kind, object) => watched.live[kind].forget(object.metadata.uid),
    announce: (object, type, reason, message) =>
      recorder.record({ object, type, reason, action: 'Reconcile', note: message }),
    uninstalling: (kind) => crdLeaving(kube, kind),
  }

  const interruptions = createInterruptions(clock)
  const reflectors = KINDS.map((kind): readonly [KindName, Reflector] => [
    kind,
    startReflector({
      client: kube,
      transport,
      type: resourceType(kind),
      store: watched.stores[kind],
      ...(config.namespace !== undefined && { namespace: config.namespace }),
      clock,
      log,
      metrics,
      signal: abort.signal,
      interruptions,
    }),
  ])
  for (const [kind, reflector] of reflectors) health.ready(kind, () => reflector.problem())
  health.ready('stopping', () => (stopping ? 'the process was told to stop' : undefined))
  wakeOnChange({ watched, kinds, queues, references })

  const controllers: Controller[] = []
  const start = (): void => {
    const run = (name: KindName, reconcile: (key: string) => Promise<{ afterMs?: number }>) => {
      for (const object of watched.live[name].list()) queues[name].add(keyOf(object), 'resync')
      controllers.push(
        startController({ name, queue: queues[name], reconcile, expected, clock, log, metrics }),
      )
    }
    const { allowedEndpoints } = config
    run(
      'CloudAccount',
      accountReconciler({ env, connections, allowedEndpoints, kinds: pipelineKinds, countOrphans }),
    )
    for (const kind of pipelineKinds) run(kind.kind, reconciler(env, kind))
    run('CloudVMOperation', vmOperationReconciler(env))
    log.info({ identity }, 'reconciling')
  }
  const lost = Promise.withResolvers<string>()
  const begun = begin(
    { watchedSynced: () => KINDS.every((kind) => watched.stores[kind].synced), clock, signal: abort.signal },
    () => {
      if (stopping) return
      if (!config.lease.enabled) {
        start()
        return
      }
      lease = startLease({
        send: transport.dedicated(),
        namespace: config.lease.namespace,
        name: config.lease.name,
        identity,
        durations: config.leaseDurations,
        clock,
        log,
        metrics,
        onGained: start,
        onLost: lost.resolve,
      })
    },
  )

  return {
    healthPort: health.port,
    metricsPort: health.metricsPort,
    lost: lost.promise,
    async stop() {
      stopping = true
      const drained = Promise.all(controllers.map((each) => each.drain()))
      await lease?.release()
      await atMost(clock, config.drainMs, drained)
      await atMost(clock, FLUSH_MS, recorder.flush())
      abort.abort()
      recorder.close()
      lease?.stop()
      await begun
      await Promise.all(reflectors.map(([, reflector]) => reflector.stopped))
      // What is still in flight after the drain time is given up: its intent is on record, and the next leader reads.
      await atMost(clock, FLUSH_MS, connections.closeAll())
      await kube.close()
      await health.close()
    },
  }
}

/** The API server of the configuration, and the servers for health and metrics. Throws CredentialsError. */
async function openPorts(config: Config, clock: Clock, log: Log, metrics: Metrics): Promise<Ports> {
  const { kubeconfig, context, healthPort, metricsPort } = config
  const credentials = loadCredentials({
    clock,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  })
  const kube = createKubeTransport({ credentials, clock, log, metrics })
  return { kube, health: await startHealth({ port: healthPort, metricsPort, metrics, clock, log }) }
}

const FLUSH_MS = 2_000

async function atMost(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  await Promise.race([work, clock.sleep(limitMs, over.signal)])
  over.abort()
}

const SYNC_POLL_MS = 20

/** Calls back once every first list is in. */
async function begin(
  { watchedSynced, clock, signal }: { watchedSynced: () => boolean; clock: Clock; signal: AbortSignal },
  callback: () => void,
): Promise<void> {
  while (!watchedSynced() && !signal.aborted) await clock.sleep(SYNC_POLL_MS, signal)
  if (!signal.aborted) callback()
}

const CLUSTER_ID_RETRY_MS = 2_000

/** The UID of kube-system. Waits for an API server that is not there yet; a refusal is a fault of the configuration. */
async function readClusterID(kube: KubeClient, clock: Clock, log: Log): Promise<string> {
  for (;;) {
    try {
      const uid = await kube.getNamespaceUID('kube-system')
      if (uid !== undefined) return uid
      throw new ConfigError(
        '--cluster-id: the namespace kube-system does not exist; name this cluster yourself',
      )
    } catch (error) {
      if (isKubeError(error, 'forbidden', 'unauthorized')) {
        throw new ConfigError(
          `--cluster-id: the namespace kube-system cannot be read (${error.message}); name this cluster yourself`,
        )
      }
      if (!(error instanceof KubeError)) throw error
      log.warn({ error }, 'the API server does not answer yet')
    }
    await clock.sleep(CLUSTER_ID_RETRY_MS)
  }
}

const CRD = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
}

/** Deleting a CRD deletes its objects past admission: that must never wipe the cloud. */
async function crdLeaving(kube: KubeClient, kind: KindName): Promise<boolean> {
  const { plural, group } = resourceType(kind)
  const crd = await kube.get(CRD, '', `${plural}.${group}`)
  return crd === undefined || crd.metadata.deletionTimestamp !== undefined
}

function observe(metrics: Metrics, call: ObservedCall): void {
  metrics.cloudRequest(call.method, call.route, call.class ?? 'ok', call.durationMs / 1_000)
}

/** Errors that are no bugs: the API server's, and the cloud's where a pass could not tell them in a status. */
function expected(error: unknown): ExpectedFailure | undefined {
  if (error instanceof KubeError) {
    return {
      reason: error.class,
      message: error.message,
      quick: error.class === 'conflict',
      lasting: error.class === 'forbidden' || error.class === 'invalid',
    }
  }
  if (error instanceof CloudError) return { reason: error.class, message: error.message }
  return undefined
}
