/** What a kubeconfig says that client-node does not look at. */
import { isAbsolute, join } from 'node:path'
import type { Cluster, User } from '@kubernetes/client-node'
import { parse } from 'yaml'

/** Throws an Error with one line when `text` is no kubeconfig at all. */
export function checkKubeconfig(text: string): void {
  const config = parse(text) as unknown
  if (!isRecord(config)) throw new Error('it is empty or no mapping')
  if (!Array.isArray(config['clusters'])) throw new Error('it has no list of clusters')
}

/** The absolute path of the user's `tokenFile`, which goes before a `token` as in client-go. */
export function tokenFileOf(text: string, user: string, directory: string): string | undefined {
  const config = parse(text) as unknown
  const users = isRecord(config) && Array.isArray(config['users']) ? (config['users'] as unknown[]) : []
  const entry = users.find((candidate) => isRecord(candidate) && candidate['name'] === user)
  const login = isRecord(entry) && isRecord(entry['user']) ? entry['user'] : {}
  const file = login['tokenFile']
  if (typeof file !== 'string') return undefined
  return isAbsolute(file) ? file : join(directory, file)
}

/** The user with its exec plugin as kubectl would call it: path made absolute, KUBERNETES_EXEC_INFO set. */
export function execInfo(user: User, cluster: Cluster, directory: string): User {
  const exec = user.exec as unknown
  if (!isRecord(exec) || typeof exec['command'] !== 'string') return user
  const { command } = exec
  const relative = command.includes('/') && !isAbsolute(command)
  const info = {
    kind: 'ExecCredential',
    apiVersion: exec['apiVersion'],
    spec: {
      interactive: false,
      ...(exec['provideClusterInfo'] === true && { cluster: clusterInfo(cluster) }),
    },
  }
  const env = [
    { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) },
    ...(Array.isArray(exec['env']) ? (exec['env'] as unknown[]) : []),
  ]
  return { ...user, exec: { ...exec, command: relative ? join(directory, command) : command, env } }
}

function clusterInfo(cluster: Cluster): Readonly<Record<string, unknown>> {
  return {
    server: cluster.server,
    'tls-server-name': cluster.tlsServerName,
    'insecure-skip-tls-verify': cluster.skipTLSVerify,
    'certificate-authority-data': cluster.caData,
    'proxy-url': cluster.proxyUrl,
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
