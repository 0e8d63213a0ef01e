/** The demo as people run it, as a process of its own: what it shows, how it ends, and that nothing of it is left. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { chapters } from '../demo/chapters.ts'
import { runKubectl } from '../controlplane/kubectl.ts'

const main = join(import.meta.dirname, '../demo/demo.ts')
const limitMs = 240_000

/** Everything that the demo leaves, processes too, can be told by this folder: it is their TMPDIR. */
let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'demo-test-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Demo {
  output(): string
  errors(): string
  /** Resolves when this was printed; rejects when the demo ends before. */
  said(text: string): Promise<void>
  /** To the whole process group, as Ctrl-C does. */
  signal(name: NodeJS.Signals): void
  /** The exit code, or the signal's name. */
  readonly ended: Promise<unknown>
}

function startDemo(...flags: readonly string[]): Demo {
  const child = spawn(process.execPath, [main, ...flags], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder },
  })
  const { pid } = child
  if (pid === undefined) throw new Error('the demo did not start')
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => code ?? signal)
  return {
    output: () => output,
    errors: () => errors,
    said: (text) =>
      new Promise<void>((resolve, reject) => {
        const look = () => output.includes(text) && resolve()
        child.stdout.on('data', look)
        look()
        void ended.then((how) =>
          reject(new Error(`ended with ${String(how)} before it said "${text}":\n${output}${errors}`)),
        )
      }),
    signal: (name) => void process.kill(-pid, name),
    ended,
  }
}

/** What is left: files in the folder, processes that got it as their TMPDIR. */
async function remains(): Promise<string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return environment.includes(folder) ? [command.replaceAll('\0', ' ')] : []
    }),
  )
  return [...(await readdir(folder)), ...processes.flat()]
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function pidsOf(output: string): Map<string, number> {
  return new Map([...output.matchAll(/^pid (\d+) (.+)$/gm)].map(([, pid, name = '']) => [name, Number(pid)]))
}

test(
  '--once walks the story and leaves the cloud and the machine as they were',
  { timeout: limitMs },
  async () => {
    const demo = startDemo('--once')
    const code = await demo.ended
    const output = demo.output()
    expect(code, output.slice(-5_000) + demo.errors()).toBe(0)
    const told = chapters.map(({ title }, index) => output.indexOf(`\n${index + 1}. ${title}\n`))
    expect(told).not.toContain(-1)
    expect(told).toEqual([...told].sort((a, b) => a - b))
    expect(output).toMatch(
      /→ POST +200 +\d+ ms +\/user-resource\/vm\/stop +stopped vm [0-9a-f]{8}… · CloudVM\/web-1\n/,
    )
    const [, before] = /^The cloud before: (.+)$/m.exec(output) ?? []
    expect(before).toMatch(/^0 VMs, 0 disks, /)
    expect(output).toContain(`The cloud now:    ${before ?? '?'}\n`)
    expect(output).toContain('The cloud is as it was before the first apply, in every field.')
    expect(demo.errors()).toBe('')
    expect(await remains()).toEqual([])
  },
)

test('without --once it stays up for kubectl, and Ctrl-C ends all of it', { timeout: limitMs }, async () => {
  const demo = startDemo('--pids')
  await demo.said('stays up until Ctrl-C')
  await demo.said('as they happen.')
  const pids = pidsOf(demo.output())
  expect([...pids.keys()]).toEqual(expect.arrayContaining(['simulator', 'operator', 'control plane']))
  expect([...pids.values()].filter((pid) => !isAlive(pid))).toEqual([])
  const [, kubeconfig = ''] = /^ +export KUBECONFIG=(.+)$/m.exec(demo.output()) ?? []
  const listed = await runKubectl(inject('controlPlane'), ['get', 'cloud'], { kubeconfig })
  expect(listed.stdout).toMatch(/^cloudvm\S+\/web-1 +True +Available /m)

  demo.signal('SIGINT')
  expect(await demo.ended, demo.output().slice(-3_000)).toBe(0)
  expect([...pids.values()].filter(isAlive)).toEqual([])
  expect(await remains()).toEqual([])
})

test(
  'when a part dies it says so, with the last log lines of the operator, and ends with 1',
  { timeout: limitMs },
  async () => {
    const demo = startDemo('--pids')
    await demo.said('the operator runs and leads')
    await demo.said('watchdog')
    process.kill(pidsOf(demo.output()).get('simulator') ?? 0, 'SIGKILL')
    expect(await demo.ended).toBe(1)
    expect(demo.output()).toContain("The operator's last log lines:\n{")
    expect(demo.output()).toMatch(/demo: FAILED: the simulator ended with SIGKILL\n$/)
    expect(await remains()).toEqual([])
  },
)

test('SIGTERM while it starts leaves nothing', { timeout: limitMs }, async () => {
  const demo = startDemo('--once')
  await demo.said('starting etcd')
  demo.signal('SIGTERM')
  expect(await demo.ended, demo.output()).toBe(143)
  expect(await remains()).toEqual([])
})

test('killed, it leaves nothing either', { timeout: limitMs }, async () => {
  const demo = startDemo('--once')
  await demo.said('the operator runs and leads')
  demo.signal('SIGKILL')
  expect(await demo.ended).toBe('SIGKILL')
  await vi.waitFor(async () => expect(await remains()).toEqual([]), { timeout: 20_000, interval: 100 })
})

test('an unknown flag is one clear line and exit code 2', async () => {
  const demo = startDemo('--twice')
  expect(await demo.ended).toBe(2)
  expect(demo.output()).toBe('')
  expect(demo.errors()).toBe("demo: Unknown option '--twice'; see npm run demo -- --help\n")
})

test('--help tells the flags', async () => {
  const demo = startDemo('--help')
  expect(await demo.ended).toBe(0)
  expect(demo.output()).toMatch(/--once .*\n.*\n.*--pids /s)
})
