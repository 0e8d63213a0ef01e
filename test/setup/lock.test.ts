import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from './lock.mjs'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function ended(code: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve) => child.once('close', () => resolve(output)))
}

const lockUrl = JSON.stringify(fileURLToPath(new URL('lock.mjs', import.meta.url)))

test('lets one at a time work, in one process and in several', async () => {
  const inside: number[] = []
  let now = 0
  const work = () =>
    withLock(folder, async () => {
      inside.push(++now)
      await new Promise((resolve) => setImmediate(resolve))
      now--
    })
  await Promise.all([work(), work(), work()])
  expect(inside).toEqual([1, 1, 1])

  const file = JSON.stringify(join(folder, 'busy'))
  const program = `
    import { withLock } from ${lockUrl}
    import { rm, writeFile } from 'node:fs/promises'
    for (let round = 0; round < 20; round++) {
      await withLock(${JSON.stringify(folder)}, async () => {
        await writeFile(${file}, '', { flag: 'wx' })
        await rm(${file})
      })
    }
    console.log('done')`
  expect(await Promise.all([ended(program), ended(program), ended(program)])).toEqual([
    'done\n',
    'done\n',
    'done\n',
  ])
})

test('is free again after a failure, which it passes on', async () => {
  await expect(withLock(folder, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await withLock(folder, () => Promise.resolve('next'))).toBe('next')
})

test('is taken over from a process that was killed while it held it', async () => {
  await ended(`
    import { withLock } from ${lockUrl}
    await withLock(${JSON.stringify(folder)}, () => { process.kill(process.pid, 'SIGKILL') ; return new Promise(() => {}) })`)
  const waited: number[] = []
  const held = await withLock(
    folder,
    () => Promise.resolve('taken'),
    (pid) => waited.push(pid),
  )
  expect(held).toBe('taken')
  expect(waited).toEqual([])
})

test('is taken over when the holder’s pid belongs to another process by now', async () => {
  await writeFile(join(folder, '7'), JSON.stringify({ pid: process.pid, host: hostname(), started: '1' }))
  const work = () => Promise.resolve(readdir(folder))
  const during = process.platform === 'linux' ? await withLock(folder, work) : ['8']
  expect(during).toContain('8')
  expect(during).not.toContain('7')
})

test('tells whom it waits for, once', async () => {
  const waited: number[] = []
  let second: Promise<void> = Promise.resolve()
  await withLock(folder, async () => {
    second = withLock(
      folder,
      () => Promise.resolve(),
      (pid) => waited.push(pid),
    )
    await expect.poll(() => waited, { timeout: 10_000 }).toEqual([process.pid])
  })
  await second
  expect(waited).toEqual([process.pid])
})
