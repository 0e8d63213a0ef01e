/**
 * npm run test:faults:real -- [--cases N] [--seed S] [--stories N] [--parallel P] [--scenario NAME] [--replay FILE] [--report FILE]
 * etcd, kube-apiserver, the simulated service over HTTP and the operator as child processes, with troubles at counted
 * requests between them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startControlPlane } from '../../controlplane/start.ts'
import { installOperator } from '../../demo/install.ts'
import { bundle } from '../../setup/bundle.ts'
import { described } from '../described.ts'
import type { Plan } from '../plan.ts'
import { createReferences, judgePlan } from './judge-plan.ts'
import { openRig, type Rig } from './rig.ts'
import { choose, spaceOf } from './space.ts'
import { runWhole } from './whole.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    stories: { type: 'string' },
    parallel: { type: 'string', default: String(4 * availableParallelism()) },
    scenario: { type: 'string' },
    replay: { type: 'string' },
    report: { type: 'string' },
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

async function run(): Promise<boolean> {
  const startedAt = performance.now()
  const { scenario, stories, report } = values
  const [count, seed, parallel] = [values.cases, values.seed, values.parallel].map(Number)
  if (count === undefined || seed === undefined || parallel === undefined) return false
  const references = createReferences()
  const space = await spaceOf(references, {
    seed,
    ...(scenario !== undefined && { scenario }),
    ...(stories !== undefined && { stories: Number(stories) }),
  })
  const chosen = choose(space, count, seed)
  say(
    `${space.cases.length} cases of ${space.stories} stories; ${chosen.cases.length} of them by seed ${seed}`,
  )
  const { writes } = space
  const came = await withRig((rig) => runWhole(rig, { chosen, references, writes, parallel, say }))
  const failed = came.failing + came.empty.length
  const counts = { passed: came.count - came.failing, failed, skipped: 0 }
  if (report !== undefined) writeFileSync(report, JSON.stringify(counts))
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  say(
    `${came.count} cases, ${came.failing} failing, ${came.empty.length} empty cells, ${minutes} minutes in all`,
  )
  return failed === 0
}

const { replay: file } = values
const good = await (file === undefined ? run() : withRig((rig) => replay(rig, file)))
process.exitCode = good ? 0 : 1
