/** Flags and environment to a validated Config. Nothing else reads process.env. */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { DEFAULT_DURATIONS, type Durations } from './reconcile/durations.ts'

export interface Config {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  /** Watch only this namespace; undefined: all. */
  readonly namespace: string | undefined
  readonly allowedEndpoints: readonly string[]
  /** Undefined: the UID of the kube-system namespace. */
  readonly clusterID: string | undefined
  readonly lease: { readonly enabled: boolean; readonly namespace: string; readonly name: string }
  readonly leaseDurations: { readonly leaseMs: number; readonly renewMs: number; readonly retryMs: number }
  readonly healthPort: number
  readonly metricsPort: number
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error'
  readonly drainMs: number
  readonly durations: Durations
  readonly identity: string
}

/** What is wrong with the configuration, in one line that names the flag. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const FLAGS = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  namespace: { type: 'string' },
  'allow-endpoint': { type: 'string', multiple: true },
  'cluster-id': { type: 'string' },
  'leader-elect': { type: 'string' },
  'lease-namespace': { type: 'string' },
  'lease-name': { type: 'string' },
  'lease-durations': { type: 'string' },
  'health-port': { type: 'string' },
  'metrics-port': { type: 'string' },
  'log-level': { type: 'string' },
  'drain-seconds': { type: 'string' },
  durations: { type: 'string' },
} as const

export const RUN_USAGE = `cloud-operator run: keeps the cloud equal to the custom resources of a cluster
  --allow-endpoint URL     address of a service that CloudAccounts may name (required; may be repeated)
  --kubeconfig FILE        default: KUBECONFIG, the pod's service account, or ~/.kube/config
  --context NAME           context of the kubeconfig
  --namespace NAME         watch this namespace only; default: all
  --cluster-id TEXT        what markers are made from; default: the UID of the namespace kube-system
  --leader-elect BOOL      default: true
  --lease-namespace NAME   default: POD_NAMESPACE, or cloud-operator-system
  --lease-name NAME        default: cloud-operator
  --lease-durations MS,MS,MS  lease, renewal limit, retry; default: 15000,10000,2000
  --health-port PORT       /healthz and /readyz; default: 8081; 0: a free one
  --metrics-port PORT      /metrics; default: 8080; 0: a free one
  --log-level LEVEL        trace, debug, info, warn, error; default: info
  --drain-seconds N        longest wait for calls in flight when told to stop; default: 150
  --durations JSON         single durations of the pipeline in milliseconds, for tests`

const port = z.coerce.number().int().min(0).max(65535)
const level = z.enum(['trace', 'debug', 'info', 'warn', 'error'])
const leaseDurations = z
  .string()
  .regex(/^\d+,\d+,\d+$/)
  .transform((text) => text.split(',').map(Number) as [number, number, number])
  .refine(([lease, renew, retry]) => lease > renew && renew > retry && retry > 0)

/** Validates everything at once; throws ConfigError with one line. `environment` is process.env or a test's own. */
export function readConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const values = parseFlags(args)
  const flag = <T>(name: keyof typeof FLAGS, schema: z.ZodType<T>, fallback: string): T => {
    const text = values[name]
    const given = typeof text === 'string' ? text : fallback
    const parsed = schema.safeParse(given)
    if (!parsed.success)
      throw new ConfigError(`--${name}: "${given}" is not valid; see cloud-operator run --help`)
    return parsed.data
  }
  const text = (name: keyof typeof FLAGS): string | undefined => {
    const value = values[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const allowedEndpoints = values['allow-endpoint'] ?? list(environment['CLOUD_OPERATOR_ALLOW_ENDPOINT'])
  if (allowedEndpoints.length === 0) {
    throw new ConfigError('--allow-endpoint: name at least one service address that CloudAccounts may use')
  }
  for (const each of allowedEndpoints) {
    if (!URL.canParse(each)) throw new ConfigError(`--allow-endpoint: "${each}" is not a URL`)
  }
  const [leaseMs, renewMs, retryMs] = flag('lease-durations', leaseDurations, '15000,10000,2000')
  return {
    kubeconfig: text('kubeconfig') ?? environment['KUBECONFIG'],
    context: text('context'),
    namespace: text('namespace'),
    allowedEndpoints,
    clusterID: text('cluster-id'),
    lease: {
      enabled: flag('leader-elect', z.enum(['true', 'false']), 'true') === 'true',
      namespace: text('lease-namespace') ?? environment['POD_NAMESPACE'] ?? 'cloud-operator-system',
      name: text('lease-name') ?? 'cloud-operator',
    },
    leaseDurations: { leaseMs, renewMs, retryMs },
    healthPort: flag('health-port', port, '8081'),
    metricsPort: flag('metrics-port', port, '8080'),
    logLevel: flag('log-level', level, 'info'),
    drainMs: flag('drain-seconds', z.coerce.number().min(0).max(3_600), '150') * 1_000,
    durations: readDurations(text('durations')),
    identity: environment['POD_NAME'] ?? environment['HOSTNAME'] ?? 'cloud-operator',
  }
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw new ConfigError(
      `${error instanceof Error ? error.message.split('\n')[0] : String(error)}; see cloud-operator run --help`,
    )
  }
}

function list(text: string | undefined): string[] {
  return (text ?? '').split(',').filter((each) => each !== '')
}

function readDurations(text: string | undefined): Durations {
  if (text === undefined) return DEFAULT_DURATIONS
  const keys = Object.keys(DEFAULT_DURATIONS)
  const schema = z.partialRecord(z.enum(keys as [string, ...string[]]), z.number().positive())
  const parsed = schema.safeParse(parseJSON(text))
  if (!parsed.success)
    throw new ConfigError(`--durations: expected a JSON object with any of ${keys.join(', ')}`)
  return { ...DEFAULT_DURATIONS, ...parsed.data }
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
