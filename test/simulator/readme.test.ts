/**
 * The simulator's README, run: its shell blocks go through bash and curl as printed, with another port, against the
 * bundled command. Each line that calls curl has what it answers below, in the order of the page.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../setup/bundle.ts'
import { families, type Expected } from './readme.ts'

const readme = readFileSync(join(import.meta.dirname, '../../src/simulator/README.md'), 'utf8')
const [start = '', examples = '', control = '', ...moreBlocks] = [
  ...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm),
].map((match) => match[1] ?? '')

const directory = mkdtempSync(join(tmpdir(), 'simulator-readme-'))
const environment = { PATH: `${directory}:${process.env['PATH'] ?? ''}`, HOME: directory }
let server: ChildProcess | undefined
let printed = ''

beforeAll(async () => {
  for (const tool of ['bash', 'curl'])
    if (spawnSync(tool, ['--version']).status !== 0)
      throw new Error(`${tool} is needed to run the examples of src/simulator/README.md: install it`)
  const program = await bundle(undefined, join(directory, 'cloud-operator.mjs'))
  const command = join(directory, 'cloud-operator')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(command, 0o755)
  const line = start.replace('--port 8080', '--port 0').replace('--admin-port 8081', '--admin-port 0')
  server = spawn('bash', ['-c', `exec ${line}`], { env: environment, cwd: directory })
  await new Promise<void>((resolve, reject) => {
    server?.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes('location:')) resolve()
    })
    server?.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    server?.on('close', (code) => reject(new Error(`ended with ${String(code)}: ${printed}`)))
  })
}, 60_000)

afterAll(async () => {
  if (server?.exitCode === null) {
    const closed = new Promise((resolve) => server?.on('close', resolve))
    server.kill('SIGTERM')
    await closed
  }
  rmSync(directory, { recursive: true })
})

test('there are the three shell blocks that this test knows', () => {
  expect([start, examples, control].map((block) => block !== '')).toEqual([true, true, true])
  expect(moreBlocks).toEqual([])
})

test('the command prints what the page says', () => {
  const shown = /^```\n(url:[\s\S]*?)^```$/m.exec(readme)?.[1] ?? ''
  expect(printed.replace(/:\d+$/gm, ':PORT')).toBe(shown.replace(/:\d+$/gm, ':PORT'))
})

test('every example of every family answers as expected', () => {
  const answers = run(examples)
  const lines = answers.filter(({ line }) => line.startsWith('curl'))
  expect(lines.map(({ line }) => line)).toHaveLength(families.examples.length)
  for (const [index, expected] of families.examples.entries()) check(lines[index], expected)
})

test('every line of the control works', () => {
  const setting = examples.split('\n')[0] ?? ''
  const lines = run(`${setting}\n${control}`).filter(({ line }) => /^(curl|wait)/.test(line))
  expect(lines.map(({ line }) => line)).toHaveLength(families.control.length)
  for (const [index, expected] of families.control.entries()) check(lines[index], expected)
})

interface Answered {
  line: string
  output: string
}

function check(answered: Answered | undefined, { of, says }: Expected): void {
  expect(answered?.line).toContain(of)
  says(answered?.output ?? '', answered?.line ?? '')
}

/** Runs each line of the block in one bash, and gives what each printed. */
function run(block: string): Answered[] {
  const urlOf = (name: string) => new RegExp(`^${name}: +http://(\\S+)$`, 'm').exec(printed)?.[1] ?? ''
  const local = block
    .replaceAll('127.0.0.1:8080', urlOf('url'))
    .replaceAll('127.0.0.1:8081', urlOf('admin url'))
  const lines = wholeLines(local)
  const script = lines.map((line) => `${line}\nprintf '\\036'\n`).join('')
  const ran = spawnSync('bash', ['-u'], { input: script, env: environment, cwd: directory, timeout: 60_000 })
  expect(ran.stderr.toString()).toBe('')
  const outputs = ran.stdout.toString().split('\u001e')
  return lines.map((line, index) => ({ line, output: outputs[index] ?? '' }))
}

/** Lines as bash reads them: up to the one that closes the last quote, and on after a backslash. Without comments. */
function wholeLines(block: string): string[] {
  const whole: string[] = []
  let open = ''
  for (const line of block.split('\n')) {
    open = open === '' ? line : `${open}\n${line}`
    const quotes = open.replaceAll(/\\./gs, '').replaceAll(/'[^']*'|"[^"]*"/g, '')
    if (line.endsWith('\\') || /['"]/.test(quotes)) continue
    if (open !== '' && !open.startsWith('#')) whole.push(open)
    open = ''
  }
  return whole
}
