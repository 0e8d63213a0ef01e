/** Builds the binaries that test/controlplane/go pins, one after another, into a folder. */
import { spawn } from 'node:child_process'
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from '../setup/lock.mjs'

export const binaryNames = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'] as const
export type BinaryName = (typeof binaryNames)[number]

export type Say = (line: string) => void
export type Environment = Record<string, string | undefined>

export interface Pinned {
  kubernetes: string
  etcd: string
}

const moduleFolder = fileURLToPath(new URL('go', import.meta.url))
const tickMs = 10_000

const packages: Record<BinaryName, string> = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
}

/** The versions in go.mod, without the leading v. */
export async function pinnedVersions(): Promise<Pinned> {
  const text = await readFile(join(moduleFolder, 'go.mod'), 'utf8')
  return { kubernetes: versionOf(text, 'k8s.io/kubernetes'), etcd: versionOf(text, packages.etcd) }
}

/**
 * Builds each of `names` into `folder` unless `present` says that it is there by now. Other processes that build
 * into the same folder are waited for. Fails with the last lines of the compiler's output.
 */
export async function buildBinaries(
  names: readonly BinaryName[],
  folder: string,
  present: (name: BinaryName) => Promise<boolean>,
  say: Say,
  environment: Environment,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { kubernetes } = await pinnedVersions()
  await withLock(
    join(folder, '.lock'),
    async () => {
      await removeLeftovers(folder)
      for (const name of names)
        if (!(await present(name))) await build(name, kubernetes, folder, say, environment)
    },
    (pid) => say(`waiting for process ${pid}, which builds the test API server`),
  )
}

/** Whether a Go toolchain can be run. */
export async function goFound(environment: Environment): Promise<boolean> {
  try {
    return (await go(['version'], environment, () => undefined)).code === 0
  } catch {
    return false
  }
}

async function build(
  name: BinaryName,
  kubernetes: string,
  folder: string,
  say: Say,
  environment: Environment,
): Promise<void> {
  const started = Date.now()
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`
  let latest = ''
  say(`building ${name}`)
  const tick = setInterval(() => {
    say(`building ${name}, ${elapsed()}${latest === '' ? '' : ` (${latest})`}`)
    latest = ''
  }, tickMs)
  const temporary = join(folder, `.building-${process.pid}-${name}`)
  try {
    const args = ['build', '-trimpath', '-ldflags', linkerFlags(kubernetes), '-o', temporary, packages[name]]
    const { code, output } = await go(args, environment, (line) => (latest = line))
    if (code !== 0) throw new Error(`go build of ${name} failed after ${elapsed()}:\n${output}`)
    await rename(temporary, join(folder, name))
  } finally {
    clearInterval(tick)
    await rm(temporary, { force: true })
  }
  say(`built ${name} in ${elapsed()}`)
}

/** Without these the server calls itself v0.0.0. */
function linkerFlags(kubernetes: string): string {
  const [major = '', minor = ''] = kubernetes.split('.')
  const version = 'k8s.io/component-base/version'
  return [
    '-s -w',
    `-X ${version}.gitVersion=v${kubernetes} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`,
    `-X k8s.io/client-go/pkg/version.gitVersion=v${kubernetes}`,
  ].join(' ')
}

/** GOFLAGS of the caller (-mod=mod, -race …), a go.work around the checkout and a cross target would break the build. */
function goEnvironment(environment: Environment): Environment {
  const ours = { CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=readonly -buildvcs=false' }
  return { ...environment, ...ours, GOOS: undefined, GOARCH: undefined }
}

function go(
  args: string[],
  environment: Environment,
  onLine: (line: string) => void,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      cwd: moduleFolder,
      env: goEnvironment(environment),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let lines: string[] = []
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      lines = [...lines, ...text.split('\n').filter((line) => line.trim() !== '')].slice(-20)
      onLine(lines.at(-1) ?? '')
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output: lines.join('\n') }))
  })
}

/** Only called under the lock: what is there was left by a build that was killed. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('.building-')) await rm(join(folder, name), { force: true })
  }
}

function versionOf(goMod: string, module: string): string {
  const escaped = module.replaceAll('.', '\\.')
  const version = new RegExp(`^\\s*(?:require )?${escaped} v(\\S+)`, 'm').exec(goMod)?.[1]
  if (version === undefined) throw new Error(`test/controlplane/go/go.mod names no version of ${module}`)
  return version
}
