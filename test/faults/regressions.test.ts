/** Plans that once broke something. Each file replays alone: npm run test:faults -- --replay FILE */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createJudge } from './judge-plan.ts'
import type { Plan } from './plan.ts'

const folder = join(import.meta.dirname, 'regressions')
const judge = createJudge()

test.each(readdirSync(folder).filter((file) => file.endsWith('.json')))('%s', async (file) => {
  const plan = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Plan
  const { violations } = await judge(plan)
  expect(violations).toEqual([])
})
