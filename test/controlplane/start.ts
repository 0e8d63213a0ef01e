/** Starts and stops a control plane: etcd, kube-apiserver and the controllers that tests need. */
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBinaries } from './binaries.ts'
import type { Binaries } from './binaries.ts'
import { startChild } from './child.ts'
import type { Child } from './child.ts'
import { apiServerFlags, auditPolicy, controllerManagerFlags, etcdFlags, etcdSocket } from './flags.ts'
import { kubeconfigPath, writeKubeconfigs, writeServiceAccountKeys, writeTokens } from './identities.ts'
import type { Tokens } from './identities.ts'
import { freePort } from './ports.ts'
import { statusOf } from './readiness.ts'
import { startWatchdog } from './watchdog.ts'
import type { Watchdog } from './watchdog.ts'

export interface ControlPlane {
  url: string
  /** Everything of this control plane: data, logs, keys, kubeconfigs. */
  directory: string
  /** Path; a member of system:masters. */
  adminKubeconfig: string
  /** Path; the operator's service account, with the rights that the applied RBAC gives it. */
  operatorKubeconfig: string
  /** Path; the user `tenant`, without rights until bound. */
  tenantKubeconfig: string
  /** Path of the binary. */
  kubectl: string
  /** Path of the audit log (one JSON object per line) when it was asked for. */
  auditLog?: string
  /** Only the API server goes; etcd and the data stay. */
  stopApiServer(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** On the same port; resolves when it is ready. */
  startApiServer(): Promise<void>
  /** Ends every process and removes the directory. May be called again. */
  stop(): Promise<void>
  /** Of the processes that run now. */
  pids(): number[]
}

export interface ControlPlaneOptions {
  /** Told about progress, line by line. */
  say?: (line: string) => void
  auditLog?: boolean
  /** Used instead of a new folder under the system's temporary one; must be empty or absent; removed by stop(). */
  directory?: string
}

interface Setting {
  binaries: Binaries
  directory: string
  port: number
  tokens: Tokens
  auditLog: string | undefined
  watchdog: Watchdog
}

const attempts = 3
const etcdReadyMs = 30_000
const apiServerReadyMs = 90_000
const stopLimitMs = 10_000

/**
 * Starts everything and resolves when the API server is ready and the namespace `default` exists.
 * Fails with the end of the log of the process that did not start; nothing is left running then.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const say = options.say ?? (() => undefined)
  const binaries = await ensureBinaries(say)
  const started = performance.now()
  const directory = await makeDirectory(options.directory)
  const watchdog = startWatchdog(directory)
  try {
    const auditLog = options.auditLog === true ? join(directory, 'audit.log') : undefined
    await writeServiceAccountKeys(directory)
    await writeFile(join(directory, 'audit-policy.yaml'), auditPolicy)
    const tokens = await writeTokens(directory)
    const plane = await startOnFreePorts({ binaries, directory, tokens, auditLog, watchdog })
    say(
      `API server ${binaries.version} ready in ${((performance.now() - started) / 1000).toFixed(1)} s: ${plane.url}`,
    )
    return plane
  } catch (error) {
    await watchdog.end()
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

async function startOnFreePorts(setting: Omit<Setting, 'port'>): Promise<ControlPlane> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startServers({ ...setting, port: await freePort() })
    } catch (error) {
      const lostRace = error instanceof Error && error.message.includes('address already in use')
      if (!lostRace || attempt === attempts) throw error
      await rm(join(setting.directory, 'etcd'), { recursive: true, force: true })
    }
  }
}

async function startServers(setting: Setting): Promise<ControlPlane> {
  const running: { etcd?: Child; apiServer?: Child; controllerManager?: Child } = {}
  const stopAll = async () => {
    // In this order: an API server whose etcd is gone does not end for half a minute.
    await running.controllerManager?.stop('SIGTERM', stopLimitMs)
    await running.apiServer?.stop('SIGTERM', stopLimitMs)
    await running.etcd?.stop('SIGTERM', stopLimitMs)
  }
  try {
    running.etcd = await startEtcd(setting)
    running.apiServer = await startApiServer(setting)
    running.controllerManager = startControllerManager(setting)
  } catch (error) {
    await stopAll()
    throw error
  }
  const { directory, auditLog, watchdog } = setting
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await stopAll()
    await watchdog.end()
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  return {
    url: urlOf(setting),
    directory,
    adminKubeconfig: kubeconfigPath(directory, 'admin'),
    operatorKubeconfig: kubeconfigPath(directory, 'operator'),
    tenantKubeconfig: kubeconfigPath(directory, 'tenant'),
    kubectl: setting.binaries.kubectl,
    ...(auditLog === undefined ? {} : { auditLog }),
    stopApiServer: async (signal = 'SIGTERM') => running.apiServer?.stop(signal, stopLimitMs),
    startApiServer: async () => {
      if (running.apiServer?.running() !== true) running.apiServer = await startApiServer(setting)
    },
    stop: () => (stopped ??= stop()),
    pids: () => {
      const children = [running.etcd, running.apiServer, running.controllerManager]
      return children.flatMap((child) => (child?.running() === true ? [child.pid] : []))
    },
  }
}

async function startEtcd({ binaries, directory, watchdog }: Setting): Promise<Child> {
  const etcd = startChild('etcd', binaries.etcd, etcdFlags(directory), directory, watchdog)
  await readyOrStopped(etcd, () => accepts(join(directory, etcdSocket)), etcdReadyMs)
  return etcd
}

async function startApiServer(setting: Setting): Promise<Child> {
  const { binaries, directory, port, tokens, auditLog, watchdog } = setting
  const flags = apiServerFlags(directory, port, auditLog)
  const apiServer = startChild('kube-apiserver', binaries.kubeApiserver, flags, directory, watchdog)
  const url = urlOf(setting)
  await readyOrStopped(
    apiServer,
    async () => {
      const ca = await readFile(join(directory, 'certs', 'apiserver.crt'), 'utf8').catch(() => undefined)
      if (ca === undefined || (await statusOf(`${url}/readyz`, ca, tokens.admin)) !== 200) return false
      return (await statusOf(`${url}/api/v1/namespaces/default`, ca, tokens.admin)) === 200
    },
    apiServerReadyMs,
  )
  // The server makes its certificate and the authority that signed it; both are in this file.
  const ca = await readFile(join(directory, 'certs', 'apiserver.crt'), 'utf8')
  await writeKubeconfigs(directory, url, ca, tokens)
  return apiServer
}

function startControllerManager({ binaries, directory, watchdog }: Setting): Child {
  const flags = controllerManagerFlags(directory)
  return startChild('kube-controller-manager', binaries.kubeControllerManager, flags, directory, watchdog)
}

async function readyOrStopped(child: Child, ready: () => Promise<boolean>, limitMs: number): Promise<void> {
  try {
    await child.until(ready, limitMs)
  } catch (error) {
    await child.stop('SIGKILL', stopLimitMs)
    throw error
  }
}

function urlOf({ port }: Setting): string {
  return `https://127.0.0.1:${port}`
}

async function makeDirectory(wanted: string | undefined): Promise<string> {
  if (wanted === undefined) return mkdtemp(join(tmpdir(), 'control-plane-'))
  await mkdir(wanted, { recursive: true, mode: 0o700 })
  if ((await readdir(wanted)).length > 0)
    throw new Error(`the control plane's directory ${wanted} is not empty`)
  return wanted
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
