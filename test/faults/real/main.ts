/**
 * npm run test:faults:real -- [--cases N] [--seed S] [--scenario NAME] [--replay FILE]
 * etcd, kube-apiserver, the simulated service over HTTP and the operator as child processes, with troubles at counted
 * requests between them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startControlPlane } from '../../controlplane/start.ts'
import { installOperator } from '../../demo/install.ts'
import { bundle } from '../../setup/bundle.ts'
import { described } from '../described.ts'
import type { Plan } from '../plan.ts'
import { createReferences, judgePlan } from './judge-plan.ts'
import { openRig, type Rig } from './rig.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    scenario: { type: 'string' },
    replay: { type: 'string' },
  },
})

const root = join(import.meta.dirname, '../../..')
const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function replay(rig: Rig, file: string): Promise<boolean> {
  const plan = JSON.parse(readFileSync(file, 'utf8')) as Plan
  const { violations, history, met, ms } = await judgePlan(rig, plan, createReferences())
  if (history !== undefined) for (const line of described(history)) say(line)
  say('')
  for (const { oracle, what } of violations) say(`${oracle}: ${what}`)
  say(
    `${violations.length} violations, ${met} of ${plan.perturbations.length} troubles met, ${Math.round(ms)} ms`,
  )
  return violations.length === 0
}

async function withRig<T>(use: (rig: Rig) => Promise<T>): Promise<T> {
  const plane = await startControlPlane({ say })
  try {
    await installOperator(plane, root, new AbortController().signal)
    const rig = await openRig(plane, await bundle())
    try {
      return await use(rig)
    } finally {
      await rig.close()
    }
  } finally {
    await plane.stop()
  }
}

const good = await withRig((rig) => replay(rig, values.replay ?? ''))
process.exitCode = good ? 0 : 1
