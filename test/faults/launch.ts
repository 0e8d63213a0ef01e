/** Starts the operator in a process of the rig: the real one, on other ports. */
import type { Config } from '../../src/config.ts'
import type { Transport } from '../../src/cloud/wire.ts'
import type { KubeTransport } from '../../src/kube/transport.ts'
import { startOperator } from '../../src/operator.ts'
import { DEFAULT_DURATIONS } from '../../src/reconcile/durations.ts'
import type { Health } from '../../src/telemetry/health.ts'
import { createLog, type Log, type LogFields } from '../../src/telemetry/log.ts'
import { createRedactor } from '../../src/telemetry/redact.ts'
import type { Process } from './process.ts'

export interface Launch {
  readonly process: Process
  readonly kube: KubeTransport
  readonly cloud: Transport
  readonly lease: Config['lease']
  readonly endpoint: string
  /** Warnings and errors of the log. */
  readonly complain: (level: 'warn' | 'error', text: string) => void
  /** Every line of the log as it would leave the process; absent: no lines are made. */
  readonly say?: (line: string) => void
  /** The lease was lost and the process has ended. */
  readonly lost: () => void
}

/** Slow ones are shorter than in the product, so that a run ends in minutes of virtual time. */
export const DURATIONS = {
  ...DEFAULT_DURATIONS,
  refusedMs: 180_000,
  quotaMs: 60_000,
  exactMs: 600_000,
  accountMs: 600_000,
  // While troubles still happen.
  eventCountMs: 5_000,
}

export function launch(o: Launch): void {
  const { process, kube, cloud, lease, endpoint } = o
  const config: Config = {
    kubeconfig: undefined,
    context: undefined,
    namespace: undefined,
    allowedEndpoints: [endpoint],
    clusterID: undefined,
    lease,
    leaseDurations: { leaseMs: 15_000, renewMs: 10_000, retryMs: 2_000 },
    healthPort: 0,
    metricsPort: 0,
    logLevel: 'trace',
    drainMs: 150_000,
    durations: DURATIONS,
    identity: `process-${process.number}`,
  }
  const redactor = createRedactor()
  const kept = o.say && createLog({ level: 'trace', destination: { write: o.say }, redactor })
  const log = complaining(o.complain, kept)
  const options = { config, clock: process.clock, log, redactor }
  const ports = { kube, health: noHealth(), cloud: () => cloud }
  void startOperator({ ...options, ports }).then(async (operator) => {
    await operator.lost
    await operator.stop()
    // What is still on its way has left; nothing comes back to a process that has ended.
    process.kill()
    o.lost()
  })
}

/** Keeps what is worth a look; the rest only where lines are kept. */
function complaining(complain: Launch['complain'], kept: Log | undefined): Log {
  const told = (level: 'warn' | 'error') => (fields: LogFields, message: string) => {
    const { error, ...rest } = fields
    const cause = error instanceof Error ? ` ${error.stack ?? error.message}` : ''
    complain(level, `${message} ${JSON.stringify(rest)}${cause}`)
    kept?.[level](fields, message)
  }
  return {
    trace: (fields, message) => kept?.trace(fields, message),
    debug: (fields, message) => kept?.debug(fields, message),
    info: (fields, message) => kept?.info(fields, message),
    warn: told('warn'),
    error: told('error'),
    child: (fields) => complaining(complain, kept?.child(fields)),
    hide: (value) => kept?.hide(value),
  }
}

/** Nothing listens in the rig. */
function noHealth(): Health {
  const ready = () => () => undefined
  return { port: 0, metricsPort: 0, ready, live: ready, close: () => Promise.resolve() }
}
