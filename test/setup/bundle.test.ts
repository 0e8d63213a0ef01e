import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from './bundle.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a bundle of every package that the program uses runs alone, and three made at once are whole', async () => {
  const entry = join(folder, 'entry.ts')
  const from = (name: string) => JSON.stringify(join(root, 'node_modules', name))
  await writeFile(
    entry,
    `import { KubeConfig } from ${from('@kubernetes/client-node')}
     import pRetry from ${from('p-retry')}
     import { pino } from ${from('pino')}
     import prometheus from ${from('prom-client')}
     import { Pool } from ${from('undici')}
     import { parse } from ${from('yaml')}
     import { z } from ${from('zod')}
     const config = new KubeConfig()
     config.loadFromString(JSON.stringify(parse('{clusters: [], users: [], contexts: []}')))
     const metric = new prometheus.Counter({ name: 'runs', help: 'Runs.' })
     await pRetry(() => metric.inc())
     pino().info(z.string().parse('logged'))
     await new Pool('http://127.0.0.1:1').close()
     console.log(await prometheus.register.metrics())`,
  )
  const output = join(folder, 'alone', 'entry.mjs')
  const made = await Promise.all([bundle(entry, output), bundle(entry, output), bundle(entry, output)])
  expect(made).toEqual([output, output, output])
  expect(await readdir(join(folder, 'alone'))).toEqual(['entry.mjs'])
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [output], { cwd: folder })
  expect(stdout).toContain('"msg":"logged"')
  expect(stdout).toContain('runs 1')
  expect(stderr).toBe('')
}, 120_000)
