import { spawn, type ChildProcess } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { createAdminClient } from '../../src/simulator/admin-client.ts'
import { vmForm } from './kit.ts'

const main = new URL('../../src/simulator/main.ts', import.meta.url).href
const code = `import(${JSON.stringify(main)}).then(async (m) => { process.exitCode = await m.runSimulate(process.argv.slice(1)) })`

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

interface Run {
  child: ChildProcess
  output(): { out: string; err: string }
  exit: Promise<number | null>
  /** Resolves with the output once it matches. */
  printed(pattern: RegExp): Promise<string>
}

function simulate(...args: string[]): Run {
  const child = spawn(process.execPath, ['-e', code, '--', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const text = { out: '', err: '' }
  const waiting: (() => void)[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    text.out += chunk.toString()
    for (const check of waiting) check()
  })
  child.stderr.on('data', (chunk: Buffer) => (text.err += chunk.toString()))
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const printed = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (pattern.test(text.out)) resolve(text.out)
      }
      waiting.push(check)
      check()
    })
  return { child, output: () => ({ ...text }), exit, printed }
}

test('prints where it is and what key to use, and ends on SIGTERM', async () => {
  const run = simulate('--port', '0', '--api-key', 'my-key', '--profile', 'documented', '--seed', '5')
  const text = await run.printed(/location:/)
  const url = /^url: +(http:\S+)$/m.exec(text)?.[1] ?? ''
  const adminUrl = /^admin url: +(http:\S+)$/m.exec(text)?.[1] ?? ''
  expect(text).toMatch(/^api key: +my-key$/m)
  expect(text).toMatch(/^location: +jkt01$/m)
  const user = await fetch(`${url}/v1/user-resource/user`, { headers: { apikey: 'my-key' } })
  expect(user.status).toBe(200)
  expect(await createAdminClient(adminUrl).calls()).toHaveLength(1)
  run.child.kill('SIGTERM')
  expect(await run.exit).toBe(0)
})

test('ends at once in the middle of an operation', async () => {
  const run = simulate('--timing', 'real', '--api-key', 'my-key')
  const url = /^url: +(http:\S+)$/m.exec(await run.printed(/location:/))?.[1] ?? ''
  const body = new URLSearchParams(
    Object.entries(vmForm()).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const creating = fetch(`${url}/v1/user-resource/vm`, {
    method: 'POST',
    headers: { apikey: 'my-key' },
    body,
  })
  const cut = expect(creating).rejects.toThrow()
  while (
    !(
      await fetch(`${url}/v1/user-resource/vm/list`, { headers: { apikey: 'my-key' } }).then((r) => r.text())
    ).includes('creating')
  );
  run.child.kill('SIGINT')
  await cut
  expect(await run.exit).toBe(0)
})

test.each([
  [['--colour'], /--colour/],
  [['--port', 'x'], /--port must be a whole number/],
  [['--port', '70000'], /--port must be/],
  [['--profile', 'other'], /--profile must be extended or documented/],
  [['--timing', 'fast'], /--timing must be/],
  [['surplus'], /surplus/],
])('%j is refused in one line with code 2', async (args, text) => {
  const run = simulate(...args)
  expect(await run.exit).toBe(2)
  const { out, err } = run.output()
  expect(out).toBe('')
  expect(err).toMatch(text)
  expect(err.trim().split('\n')).toHaveLength(1)
})
