/** The image's contents, built by the Dockerfile's own steps, run as its user on a read-only root against the API server. */
import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { imageCommand, rehearse, type Rehearsed } from '../image/rehearsal.ts'
import { installOperator } from './install.ts'

let image: Rehearsed | undefined
beforeAll(async () => {
  await installOperator(inject('controlPlane'))
  image = rehearse((line) => process.stderr.write(`image: ${line}\n`))
}, 300_000)
afterAll(() => image?.remove())

test('the image runs as a user that is not root, on a root it cannot write, and ends well when told to', async () => {
  if (image === undefined) throw new Error('the image was not built')
  copyFileSync(inject('controlPlane').operatorKubeconfig, join(image.root, 'etc/kubeconfig'))
  chmodSync(join(image.root, 'etc/kubeconfig'), 0o444)
  const flags = [
    '--kubeconfig=/etc/kubeconfig',
    '--namespace=default',
    '--allow-endpoint=https://api.example.com',
    '--leader-elect=false',
    '--health-port=0',
    '--metrics-port=0',
  ]
  const [program, args] = imageCommand(image.root, ['/app/node', '/app/cloud-operator.mjs', 'run', ...flags])
  const child = spawn(program, [...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    if (line.includes('"reconciling"')) break
  }
  const user = new RegExp(`^Uid:\\s+65532\\s+65532`, 'm')
  expect(lines.at(-1)).toContain('reconciling')
  expect(readFileSync(`/proc/${child.pid}/status`, 'utf8')).toMatch(user)
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code).toBe(0)
  expect(image.appMB).toBeLessThan(150)
})
