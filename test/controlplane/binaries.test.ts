import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cacheFolder, ensureBinaries } from './binaries.ts'
import { binaryNames, pinnedVersions } from './build.ts'

let folder: string
let lines: string[]
/** A folder for PATH with what the scripts below call and no server or kubectl of this machine. */
let toolsOfSystem: string
const say = (line: string) => void lines.push(line)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binaries-'))
  lines = []
  toolsOfSystem = join(folder, 'tools')
  await script(join(toolsOfSystem, 'sleep'), 'exec /bin/sleep "$@"')
  await script(join(toolsOfSystem, 'chmod'), 'exec /bin/chmod "$@"')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A script that stands for a binary. */
async function script(path: string, body: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, `#!/bin/sh\n${body}\n`)
  await chmod(path, 0o755)
}

async function servers(
  where: string,
  version: string,
  names: readonly string[] = binaryNames,
): Promise<string> {
  for (const name of names) await script(join(folder, where, name), `echo "Kubernetes v${version}"`)
  return join(folder, where)
}

/** A go command that writes its output file, and notes its arguments and flags. */
async function fakeGo(seconds = 0): Promise<string> {
  const log = join(folder, 'go.log')
  await script(
    join(folder, 'gobin', 'go'),
    `[ "$1" = build ] || exit 0
     echo "$GOFLAGS $*" >> "${log}"
     while [ "$1" != -o ]; do shift; done
     printf '#!/bin/sh\\necho' > "$2"; sleep ${seconds}; echo " v1.99.0" >> "$2"; chmod 755 "$2"`,
  )
  return log
}

test('takes every binary from KUBEBUILDER_ASSETS first', async () => {
  const assets = await servers('assets', '1.34.2')
  const onPath = await servers('path', '1.35.0')
  const environment = { KUBEBUILDER_ASSETS: assets, XDG_CACHE_HOME: folder, PATH: onPath }
  expect(await ensureBinaries(say, environment)).toEqual({
    etcd: join(assets, 'etcd'),
    kubeApiserver: join(assets, 'kube-apiserver'),
    kubeControllerManager: join(assets, 'kube-controller-manager'),
    kubectl: join(assets, 'kubectl'),
    version: '1.34.2',
  })
})

test('takes what KUBEBUILDER_ASSETS lacks usually from the cache, and else from PATH', async () => {
  const assets = await servers('assets', '1.34.2', ['etcd', 'kube-apiserver', 'kubectl'])
  const onPath = await servers('path', '1.35.0')
  const environment = {
    KUBEBUILDER_ASSETS: assets,
    XDG_CACHE_HOME: folder,
    PATH: `${onPath}:${toolsOfSystem}`,
  }
  const name = 'kube-controller-manager'
  expect((await ensureBinaries(say, environment)).kubeControllerManager).toBe(join(onPath, name))
  const cached = join(await cacheFolder(environment), name)
  await script(cached, 'echo')
  expect((await ensureBinaries(say, environment)).kubeControllerManager).toBe(cached)
})

test('refuses a server older than 1.32 that was asked for, and passes one on PATH by', async () => {
  const old = await servers('old', '1.31.9')
  const asked = { KUBEBUILDER_ASSETS: old, XDG_CACHE_HOME: folder, PATH: '' }
  await expect(ensureBinaries(say, asked)).rejects.toThrow(/Kubernetes 1\.31\.9; 1\.32 or newer is needed/)

  const supported = await servers('supported', '1.32.0')
  const found = { XDG_CACHE_HOME: folder, PATH: `${old}:${supported}:${toolsOfSystem}` }
  expect((await ensureBinaries(say, found)).kubeApiserver).toBe(join(supported, 'kube-apiserver'))
  expect(lines.join('\n')).toContain('not used: ')
})

test('passes a kubectl by that is alone on PATH', async () => {
  await fakeGo()
  const alone = await servers('alone', '1.34.0', ['kubectl'])
  const environment = { XDG_CACHE_HOME: folder, PATH: `${join(folder, 'gobin')}:${alone}:${toolsOfSystem}` }
  expect((await ensureBinaries(say, environment)).kubectl).toBe(
    join(await cacheFolder(environment), 'kubectl'),
  )
})

test('names the choices when there is neither a binary nor Go', async () => {
  const environment = { XDG_CACHE_HOME: folder, PATH: join(folder, 'empty') }
  await expect(ensureBinaries(say, environment)).rejects.toThrow(/Go 1\.26[^]*KUBEBUILDER_ASSETS[^]*PATH/)
})

test('builds what is missing into the cache once, whatever GOFLAGS says, and leaves nothing else there', async () => {
  const log = await fakeGo()
  const path = `${join(folder, 'gobin')}:${toolsOfSystem}`
  const environment = { XDG_CACHE_HOME: folder, PATH: path, GOFLAGS: '-mod=mod' }
  const cache = await cacheFolder(environment)
  await mkdir(cache, { recursive: true })
  await writeFile(join(cache, '.building-1-etcd'), 'left by a killed build')
  for (const name of ['kubectl', 'etcd']) await script(join(cache, name), 'echo')

  const first = await ensureBinaries(say, environment)
  expect(await ensureBinaries(say, environment)).toEqual(first)
  expect(first.kubeApiserver).toBe(join(cache, 'kube-apiserver'))
  expect((await readdir(cache)).filter((name) => name !== '.lock').sort()).toEqual([...binaryNames])

  const calls = (await readFile(log, 'utf8')).trim().split('\n')
  expect(calls).toHaveLength(2)
  for (const call of calls)
    expect(call).toMatch(/^-mod=readonly -buildvcs=false build .*gitVersion=v1\.\d+\.\d+/)
  expect(lines).toContain('building kube-apiserver')
  expect(lines.some((line) => /^built kube-apiserver in \d+ s$/.test(line))).toBe(true)
})

test('tells what the compiler said when a build fails', async () => {
  await script(join(folder, 'gobin', 'go'), '[ "$1" = build ] || exit 0; echo "no space left" >&2; exit 1')
  const environment = { XDG_CACHE_HOME: folder, PATH: `${join(folder, 'gobin')}:${toolsOfSystem}` }
  await expect(ensureBinaries(say, environment)).rejects.toThrow(/go build of etcd failed[^]*no space left/)
})

test('two processes at once build each binary once', async () => {
  const log = await fakeGo(0.2)
  const environment = {
    ...process.env,
    KUBEBUILDER_ASSETS: '',
    XDG_CACHE_HOME: folder,
    PATH: `${join(folder, 'gobin')}:${toolsOfSystem}`,
  }
  const run = () =>
    new Promise<string>((resolve) => {
      const program = fileURLToPath(new URL('binaries.ts', import.meta.url))
      const child = spawn(process.execPath, [program], {
        env: environment,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let output = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
      child.once('close', (code) => resolve(`${output}code ${code ?? '?'}`))
    })
  const outputs = await Promise.all([run(), run()])
  for (const output of outputs) expect(output).toMatch(/Kubernetes 1\.99\.0: .*\ncode 0$/)
  expect(outputs.filter((output) => /waiting for process \d+, which builds/.test(output))).toHaveLength(1)
  expect((await readFile(log, 'utf8')).trim().split('\n')).toHaveLength(binaryNames.length)
})

test('reads the pinned versions from go.mod', async () => {
  const { kubernetes, etcd } = await pinnedVersions()
  expect(kubernetes).toMatch(/^1\.3\d\.\d+$/)
  expect(etcd).toMatch(/^3\.\d+\.\d+$/)
})
