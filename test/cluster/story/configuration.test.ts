import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'

function run(...args: readonly string[]): { code: number | null; complaint: string } {
  const { status, stderr } = spawnSync(process.execPath, [inject('bundle'), ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { code: status, complaint: stderr }
}

const wrong: readonly (readonly [what: string, args: readonly string[], says: RegExp])[] = [
  ['an unknown command', ['fly'], /unknown command "fly"/],
  ['an unknown flag', ['run', '--fly'], /--fly/],
  ['no endpoint allowed', ['run'], /--allow-endpoint: name at least one/],
  ['an endpoint that is no URL', ['run', '--allow-endpoint=cloud'], /--allow-endpoint: "cloud"/],
  [
    'a port that is none',
    ['run', '--allow-endpoint=https://a.example', '--health-port=eighty'],
    /--health-port: "eighty"/,
  ],
  [
    'a log level that is none',
    ['run', '--allow-endpoint=https://a.example', '--log-level=loud'],
    /--log-level: "loud"/,
  ],
  [
    'lease durations that cannot be',
    ['run', '--allow-endpoint=https://a.example', '--lease-durations=1,2,3'],
    /--lease-durations/,
  ],
  [
    'durations that are no JSON',
    ['run', '--allow-endpoint=https://a.example', '--durations={'],
    /--durations/,
  ],
  [
    'a kubeconfig that is not there',
    [
      'run',
      '--allow-endpoint=https://a.example',
      '--kubeconfig=/nowhere/config',
      '--health-port=0',
      '--metrics-port=0',
    ],
    /\/nowhere\/config/,
  ],
  ['an unknown flag of the simulator', ['simulate', '--fly'], /--fly/],
]

test.each(wrong)('%s: one clear line and exit code 2', (_what, args, says) => {
  const { code, complaint } = run(...args)
  expect(complaint).toMatch(says)
  expect(complaint.trim().split('\n')).toHaveLength(1)
  expect(code).toBe(2)
})

test('a kubeconfig that cannot be read as one: one clear line and exit code 2', () => {
  const path = join(inject('controlPlane').directory, 'broken-kubeconfig')
  writeFileSync(path, 'clusters: [')
  const { code, complaint } = run(
    'run',
    '--allow-endpoint=https://a.example',
    `--kubeconfig=${path}`,
    '--health-port=0',
    '--metrics-port=0',
  )
  expect(complaint.trim().split('\n')).toHaveLength(1)
  expect(code).toBe(2)
})
