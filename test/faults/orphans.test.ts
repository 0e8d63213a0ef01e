/** What a cluster leaves in the cloud is counted in the account's status, whatever kinds of objects are left in the cluster. */
import { expect, test } from 'vitest'
import { runPlan } from './run-plan.ts'

/** The account's count when everything has settled. */
async function counted(scenario: string): Promise<unknown> {
  const { entries } = await runPlan({ scenario, seed: 1, profile: 'extended', perturbations: [] })
  const settled = entries.find((each) => each.is === 'moment' && each.moment === 'settled')
  const objects = settled?.is === 'moment' ? settled.objects : []
  return objects.find((each) => each.kind === 'CloudAccount')?.status?.['orphans']
}

test('each that was retained, but for a bucket, which carries no marker', async () => {
  expect(await counted('retain')).toBe(5)
})

test('nothing where every object is there', async () => {
  expect(await counted('six')).toBe(0)
})
