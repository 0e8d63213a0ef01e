/** Buckets: charged to another account, held while full, and never mistaken for a later one of the same name. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type Story } from '../story.ts'
import { cloudRow, edited, idOf, sent } from './calls.ts'
import { expectOrderly, lastCall, lookedAt } from './six.ts'

const BILLING = [7001, 7002] as const

let story: Story
beforeAll(async () => void (story = await startStory('bucket', { billingAccounts: BILLING })))
afterAll(async () => {
  expectOrderly(story)
  await story.end()
})

/** A bucket that is Ready; its name in the cloud. */
async function made(name: string): Promise<string> {
  await story.apply(manifest('CloudBucket', name, { bucketName: `${story.namespace}-${name}` }))
  return idOf(await story.ready('cloudbucket', name))
}

test('charged to another billing account; an edit back is one more call', async () => {
  const name = await made('charged')
  expect(cloudRow(story, 'buckets', name)).toMatchObject({ billingAccount: BILLING[0] })
  for (const billingAccount of [BILLING[1], BILLING[0]]) {
    expect(await edited(story, 'cloudbucket', 'charged', { billingAccount })).toEqual([
      ['PATCH /storage/bucket', { name, billing_account_id: String(billingAccount) }],
    ])
    expect(cloudRow(story, 'buckets', name)).toMatchObject({ billingAccount })
    expect((await story.ready('cloudbucket', 'charged')).status?.['billingAccount']).toBe(billingAccount)
  }
  const other = JSON.stringify({ spec: { bucketName: `${name}-2` } })
  expect(
    await story.refused(['patch', 'cloudbucket', 'charged', '--type=merge', `--patch=${other}`]),
  ).toContain('make a new CloudBucket and copy the objects')
}, 120_000)

test('a billing account that is not ours: refused in its words, and corrected by an edit', async () => {
  const name = await made('wrong')
  const since = lastCall(story)
  await story.edit('cloudbucket', 'wrong', { spec: { billingAccount: 9999 } })
  const stalled = await story.reason('cloudbucket', 'wrong', 'InvalidSpec')
  expect(conditionOf(stalled, 'Ready')?.message).toMatch(/9999 was not found.*correct the spec/)
  await lookedAt(story, 'cloudbucket', 'wrong')
  expect(cloudRow(story, 'buckets', name)).toMatchObject({ billingAccount: BILLING[0] })
  expect(sent(story, since).length).toBeLessThanOrEqual(2) // once more because somebody asked for a look
  await edited(story, 'cloudbucket', 'wrong', { billingAccount: BILLING[1] })
  expect(cloudRow(story, 'buckets', name)).toMatchObject({ billingAccount: BILLING[1] })
}, 120_000)

test('filled between the count and the deletion: the refusal holds it, and it goes once empty', async () => {
  const race = await startStory('bucket-race')
  onTestFinished(() => race.end())
  const { control } = race.simulator
  const name = `${race.namespace}-filled`
  await race.apply(manifest('CloudBucket', 'filled', { bucketName: name }))
  await race.ready('cloudbucket', 'filled')
  const hold = control.hold({ method: 'DELETE', path: '/storage/bucket', point: 'before' })
  const since = lastCall(race)
  await race.run('delete', 'cloudbucket', 'filled', '--wait=false')
  await control.waitHeld(hold.id, 60_000)
  control.mutate({ do: 'setBucket', bucket: name, set: { objects: 2, sizeBytes: 20 } })
  control.release(hold.id)
  const held = await race.reason('cloudbucket', 'filled', 'NotEmpty')
  expect(conditionOf(held, 'Ready')).toMatchObject({ status: 'Unknown' })
  await lookedAt(race, 'cloudbucket', 'filled')
  expect(sent(race, since)).toHaveLength(1)
  control.mutate({ do: 'setBucket', bucket: name, set: { objects: 0, sizeBytes: 0 } })
  await race.gone('cloudbucket', 'filled')
  expect(sent(race, since)).toEqual(Array(2).fill(['DELETE /storage/bucket', { name }]))
  // One call was refused, as it had to be.
  expect(control.counters()).toMatchObject({ preconditionsViolated: 1, lostDataTokens: [], overlaps: [] })
}, 120_000)

test('deleted in the cloud and the name taken anew: the later bucket is not ours, and stays', async () => {
  const { control } = story.simulator
  const { apiKey } = story.account
  const name = await made('retaken')
  control.mutate({ do: 'delete', kind: 'bucket', id: name })
  control.mutate({ do: 'create', kind: 'bucket', name, apiKey })
  const theirs = cloudRow(story, 'buckets', name)
  const since = lastCall(story)
  await lookedAt(story, 'cloudbucket', 'retaken')
  await story.reason('cloudbucket', 'retaken', 'ExternallyDeleted')
  await story.run('delete', 'cloudbucket', 'retaken', '--wait=false')
  await story.gone('cloudbucket', 'retaken')
  expect(sent(story, since)).toEqual([])
  expect(cloudRow(story, 'buckets', name)).toEqual(theirs)
}, 120_000)

test('refused under one account, it is made under another after an edit', async () => {
  const other = story.simulator.control.createAccount()
  const account = await story.get('cloudaccount', 'default')
  await story.run('create', 'secret', 'generic', 'other-token', `--from-literal=apikey=${other.apiKey}`)
  await story.apply(
    manifest('CloudAccount', 'other', {
      ...account?.spec,
      tokenSecretRef: { name: 'other-token', key: 'apikey' },
      billingAccount: other.billingAccount,
    }),
    manifest('CloudBucket', 'moved', {
      bucketName: `${story.namespace}-moved`,
      billingAccount: other.billingAccount,
    }),
  )
  // The billing account is the other user's: nothing was made, so the account may still be corrected.
  await story.reason('cloudbucket', 'moved', 'InvalidSpec')
  await story.edit('cloudbucket', 'moved', { spec: { accountRef: { name: 'other' } } })
  const moved = await story.ready('cloudbucket', 'moved')
  expect(moved.status?.['account']).toMatchObject({ userID: other.userId })
  const rows = story.simulator.control.inventory(other.apiKey).buckets
  expect(rows.map((each) => each['name'])).toEqual([idOf(moved)])
}, 120_000)
