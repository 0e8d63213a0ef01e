/**
 * A real kube-apiserver, etcd, kube-controller-manager and kubectl for tests and the demo. This folder finds or builds
 * the binaries and runs them; it knows nothing of the operator but the name of its service account.
 *
 * Each binary comes from the first of: the folder in KUBEBUILDER_ASSETS, the cache outside the checkout, PATH if it has
 * the servers (a kubectl alone there is of any version), a Go build into the cache. `node test/controlplane/binaries.ts` prepares them without starting anything.
 */
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { requireNode24 } from '../setup/node24.ts'
import { binaryNames, buildBinaries, goFound, pinnedVersions } from './build.ts'
import type { BinaryName, Environment, Say } from './build.ts'

export interface Binaries {
  etcd: string
  kubeApiserver: string
  kubeControllerManager: string
  kubectl: string
  /** Of the API server, without the leading v. */
  version: string
}

type Found = Partial<Record<BinaryName, string>>

const minimumMinor = 32

/**
 * Paths of the four binaries; builds what is missing (minutes, once) and tells about it line by line.
 * Fails when a server older than 1.32 was asked for, or with the choices when there is no way to get one.
 */
export async function ensureBinaries(say: Say, environment: Environment = process.env): Promise<Binaries> {
  const cache = await cacheFolder(environment)
  const found: Found = {}
  for (const name of binaryNames) {
    const path = (await fromAssets(name, environment)) ?? (await executable(join(cache, name)))
    if (path !== undefined) found[name] = path
  }
  if (binaryNames.some((name) => found[name] === undefined)) {
    Object.assign(found, { ...(await fromPath(environment, say)), ...found })
  }
  const missing = binaryNames.filter((name) => found[name] === undefined)
  if (missing.length > 0) {
    if (!(await goFound(environment))) throw new Error(choices(missing, cache))
    await buildBinaries(
      missing,
      cache,
      async (name) => (await executable(join(cache, name))) !== undefined,
      say,
      environment,
    )
  }
  const path = (name: BinaryName) => found[name] ?? join(cache, name)
  return {
    etcd: path('etcd'),
    kubeApiserver: path('kube-apiserver'),
    kubeControllerManager: path('kube-controller-manager'),
    kubectl: path('kubectl'),
    version: (await versionOf('kube-apiserver', path('kube-apiserver'))) ?? 'unknown',
  }
}

/** Where built binaries are kept: outside the checkout, a folder for each pair of versions. */
export async function cacheFolder(environment: Environment = process.env): Promise<string> {
  const { kubernetes, etcd } = await pinnedVersions()
  const base = environment['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  return join(base, 'cloud-operator', 'controlplane', `${kubernetes}-etcd-${etcd}`)
}

async function fromAssets(name: BinaryName, environment: Environment): Promise<string | undefined> {
  const assets = environment['KUBEBUILDER_ASSETS']
  if (!assets) return undefined
  const path = await executable(join(assets, name))
  if (path === undefined) {
    // The usual bundles have no controller manager; without another one the folder is not what it is said to be.
    if (name === 'kube-controller-manager') return undefined
    throw new Error(`KUBEBUILDER_ASSETS: there is no ${name} in ${assets}`)
  }
  const old = await tooOld(name, path)
  if (old !== undefined) throw new Error(`KUBEBUILDER_ASSETS: ${old}`)
  return path
}

async function fromPath(environment: Environment, say: Say): Promise<Found> {
  const found: Found = {}
  for (const folder of (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')) {
    for (const name of binaryNames) {
      const path = found[name] === undefined ? await executable(join(folder, name)) : undefined
      if (path === undefined) continue
      const old = await tooOld(name, path)
      if (old === undefined) found[name] = path
      else say(`not used: ${old}`)
    }
  }
  return found.etcd !== undefined && found['kube-apiserver'] !== undefined ? found : {}
}

/** A sentence when the binary is older than the project supports, or does not tell its version. */
async function tooOld(name: BinaryName, path: string): Promise<string | undefined> {
  if (name === 'etcd') return undefined
  const version = await versionOf(name, path)
  if (version === undefined) return `${path} does not tell its version`
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 1 || minor >= minimumMinor) return undefined
  return `${path} is Kubernetes ${version}; 1.${minimumMinor} or newer is needed`
}

async function versionOf(name: BinaryName, path: string): Promise<string | undefined> {
  const args = name === 'kubectl' ? ['version', '--client'] : ['--version']
  try {
    const { stdout } = await promisify(execFile)(path, args, { timeout: 30_000 })
    return /v(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}

async function executable(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK)
    return path
  } catch {
    return undefined
  }
}

function choices(missing: BinaryName[], cache: string): string {
  return [
    `No ${missing.join(', ')} found for the test API server. One of these helps:`,
    '- install Go 1.26 or newer: the next run builds them once (some minutes) into',
    `  ${cache}`,
    `- set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kubectl of Kubernetes 1.${minimumMinor} or newer,`,
    '  and kube-controller-manager (not in the usual bundles; without it put there, Go is needed for that one)',
    '- put all four on PATH',
  ].join('\n')
}

if (import.meta.main) {
  requireNode24()
  const say = (line: string) => process.stderr.write(`${line}\n`)
  try {
    const { version, kubeApiserver } = await ensureBinaries(say)
    say(`Kubernetes ${version}: ${kubeApiserver}`)
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
