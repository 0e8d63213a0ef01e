/**
 * Where the API server is and how to log in there: kubeconfig, service account, exec plugin.
 * The only file that imports client-node's values; it gives the parts, connections are the transport's.
 */
import { accessSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { RequestOptions } from 'node:https'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { KubeConfig, type Cluster, type User } from '@kubernetes/client-node'
import { systemClock, type Clock } from '../loop/clock.ts'
import { cacheAccess, type Authenticate, type CachedAccess, type KubeAccess } from './access.ts'
import { checkKubeconfig, execInfo, tokenFileOf } from './kubeconfig.ts'

export interface KubeCredentials extends CachedAccess {
  /** The base URL, possibly with a path, never with a trailing slash. */
  readonly server: string
  /** The namespace of the context or the service account. */
  readonly namespace: string | undefined
  /** Cached for a minute, so that rotated files and tokens are picked up. Throws CredentialsError. */
  access(): Promise<KubeAccess>
  /** Forgets what is cached, after a 401: the next access reads every file and runs the plugin again. */
  refresh(): Promise<void>
}

/** The kubeconfig or the service account cannot be used; the message is one clear line. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError'
}

export interface CredentialsOptions {
  /** Path of a kubeconfig, or several joined as in KUBECONFIG; absent: the pod's service account, else ~/.kube/config. */
  readonly kubeconfig?: string
  readonly context?: string
  readonly clock?: Clock
}

interface Login {
  readonly cluster: Cluster
  readonly user: User
  /** Read at every access: client-node reads it once, or not at all. */
  readonly tokenFile: string | undefined
  readonly namespace: string | undefined
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Reads the configuration (throws CredentialsError when it is unusable); secrets are read at each access. */
export function loadCredentials(o: CredentialsOptions): KubeCredentials {
  const login = findLogin(o)
  let first: Login | undefined = login
  const cached = cacheAccess(o.clock ?? systemClock, () => {
    const current = first ?? findLogin(o)
    first = undefined
    return authenticator(current)
  })
  return { server: login.cluster.server.replace(/\/+$/, ''), namespace: login.namespace, ...cached }
}

function findLogin(o: CredentialsOptions): Login {
  if (o.kubeconfig !== undefined) return fromKubeconfig(o.kubeconfig, o.context)
  if (o.context === undefined && exists(join(SERVICE_ACCOUNT, 'token'))) return inCluster()
  const usual = join(homedir(), '.kube', 'config')
  if (exists(usual)) return fromKubeconfig(usual, o.context)
  throw new CredentialsError(
    `no cluster to talk to: this is no pod, there is no ${usual}, and no kubeconfig was given`,
  )
}

function inCluster(): Login {
  const config = new KubeConfig()
  config.loadFromCluster()
  const cluster = config.getCurrentCluster()
  if (cluster === null || !URL.canParse(cluster.server)) {
    throw new CredentialsError(
      'there is a service account, but KUBERNETES_SERVICE_HOST and _PORT name no API server',
    )
  }
  return {
    cluster,
    user: { name: 'the service account' },
    tokenFile: join(SERVICE_ACCOUNT, 'token'),
    namespace: config.getContexts()[0]?.namespace?.trim(),
  }
}

/** The first file that names a context, cluster or user wins, as with kubectl. */
function fromKubeconfig(paths: string, wanted: string | undefined): Login {
  const files = paths.split(delimiter).filter((path) => path !== '')
  const configs = files.map(readKubeconfig)
  const contextName = wanted ?? configs.map((c) => c.config.currentContext).find(Boolean)
  const where = `kubeconfig ${files.join(delimiter)}`
  if (contextName === undefined)
    throw new CredentialsError(`${where}: no current-context, and none was given`)
  const context = firstOf(configs, (c) => c.config.getContextObject(contextName))
  if (context === undefined) throw new CredentialsError(`${where}: no context named ${contextName}`)
  const cluster = firstOf(configs, (c) => c.config.getCluster(context.cluster))
  if (cluster === undefined) {
    throw new CredentialsError(
      `${where}: context ${contextName} names the cluster ${context.cluster}, which is missing`,
    )
  }
  const holder = configs.find((c) => c.config.getUser(context.user) !== null)
  const user = holder?.config.getUser(context.user)
  if (holder === undefined || !user) {
    throw new CredentialsError(
      `${where}: context ${contextName} names the user ${context.user}, which is missing`,
    )
  }
  if (!URL.canParse(cluster.server)) {
    throw new CredentialsError(`${where}: the server of cluster ${cluster.name} is no URL: ${cluster.server}`)
  }
  return {
    cluster,
    user: execInfo(user, cluster, dirname(holder.path)),
    tokenFile: tokenFileOf(holder.text, user.name, dirname(holder.path)),
    namespace: context.namespace,
  }
}

interface Kubeconfig {
  readonly path: string
  readonly text: string
  readonly config: KubeConfig
}

function readKubeconfig(path: string): Kubeconfig {
  try {
    const text = readFileSync(path, 'utf8')
    checkKubeconfig(text)
    const config = new KubeConfig()
    config.loadFromString(text)
    config.makePathsAbsolute(dirname(path))
    return { path, text, config }
  } catch (error) {
    throw new CredentialsError(`kubeconfig ${path}: ${firstLine(error)}`, { cause: error })
  }
}

function firstOf<T>(configs: readonly Kubeconfig[], find: (c: Kubeconfig) => T | null): T | undefined {
  for (const config of configs) {
    const found = find(config)
    if (found !== null) return found
  }
  return undefined
}

function authenticator(login: Login): Authenticate {
  const { cluster, user, tokenFile } = login
  const config = new KubeConfig()
  // Only the login is client-node's: for the rest it refuses plain http and wraps a proxy in an agent undici cannot use.
  const { proxyUrl, ...direct } = cluster
  config.loadFromClusterAndUser({ ...direct, server: 'https://login.invalid' }, user)
  return async () => {
    try {
      const options: RequestOptions = {}
      await config.applyToHTTPSOptions(options)
      const token = tokenFile === undefined ? undefined : (await readFile(tokenFile, 'utf8')).trim()
      return {
        tls: tlsOf(options),
        headers: headersOf(options, token),
        ...(proxyUrl ? { proxyUrl } : {}),
      }
    } catch (error) {
      throw new CredentialsError(`cannot log in as ${user.name}: ${firstLine(error)}`, { cause: error })
    }
  }
}

function tlsOf(options: RequestOptions): KubeAccess['tls'] {
  const [ca, cert, key] = [pem(options.ca), pem(options.cert), pem(options.key)]
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(options.servername ? { servername: options.servername } : {}),
    ...(options.rejectUnauthorized !== undefined && { rejectUnauthorized: options.rejectUnauthorized }),
  }
}

function pem(value: unknown): string | Buffer | undefined {
  return typeof value === 'string' || Buffer.isBuffer(value) ? value : undefined
}

function headersOf(options: RequestOptions, fileToken: string | undefined): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  if (options.auth) {
    headers['authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (typeof value === 'string') headers[name.toLowerCase()] = value.trim()
  }
  if (fileToken !== undefined) headers['authorization'] = `Bearer ${fileToken}`
  return headers
}

function exists(path: string): boolean {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.trim().split('\n')[0] ?? ''
}
