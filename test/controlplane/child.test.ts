import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startChild } from './child.ts'
import { startWatchdog } from './watchdog.ts'
import type { Watchdog } from './watchdog.ts'

let directory: string
let watchdog: Watchdog
const never = () => Promise.resolve(false)

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'child-'))
  watchdog = startWatchdog(directory)
})
afterEach(async () => {
  await watchdog.end()
  await rm(directory, { recursive: true, force: true })
})

test('a server that ends before it is ready is told with its exit code and its log', async () => {
  const server = startChild(
    'server',
    '/bin/sh',
    ['-c', 'echo "unknown flag" >&2; exit 3'],
    directory,
    watchdog,
  )
  await expect(server.until(never, 20_000)).rejects.toThrow(/server ended with code 3[^]*unknown flag/)
  expect(server.running()).toBe(false)
})

test('a server that is not ready in time is told with its log', async () => {
  const server = startChild('server', '/bin/sh', ['-c', 'echo starting; exec sleep 60'], directory, watchdog)
  await expect(server.until(never, 300)).rejects.toThrow(/not ready within 0.3 s/)
  await server.stop('SIGTERM', 10_000)
  expect(server.running()).toBe(false)
})

test('a server that ignores SIGTERM is killed after the limit', async () => {
  const program = 'trap "" TERM; echo ready; while :; do sleep 0.1; done'
  const server = startChild('server', '/bin/sh', ['-c', program], directory, watchdog)
  await server.stop('SIGTERM', 200)
  expect(server.running()).toBe(false)
})

test('a command that does not exist is told by its name', () => {
  expect(() => startChild('server', join(directory, 'absent'), [], directory, watchdog)).toThrow(
    /server did not start/,
  )
})
