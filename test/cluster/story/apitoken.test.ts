/** API tokens: restricted unless said otherwise, into a Secret, changed and rotated; the operator's own is never touched. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { sent } from './calls.ts'
import { expectUnsaid } from './canary.ts'
import { expectOrderly, lastCall } from './six.ts'

let story: Story
beforeAll(
  async () =>
    void (story = await startStory('tokens', { withoutOperator: true, billingAccounts: [2001, 2002] })),
)
afterAll(() => story.end())

const said = new Set<string>()
const TRACE = ['--log-level=trace']

async function tokenIn(secret: string): Promise<string> {
  const text = await story.run('get', 'secret', secret, '-o', 'jsonpath={.data.token}')
  const value = Buffer.from(text, 'base64').toString()
  said.add(value)
  return value
}

/** Whom the service takes the bearer of a token for. */
async function userOf(token: string): Promise<number> {
  const reply = await fetch(`${story.simulator.url}/v1/user-resource/user`, { headers: { apikey: token } })
  return reply.status === 200 ? ((await reply.json()) as { id: number }).id : -reply.status
}

const cloudTokens = () => story.simulator.control.inventory(story.account.apiKey).tokens
const row = (id: string) => cloudTokens().find((each) => String(each['id']) === id)
const token = (name: string, spec: object = {}) =>
  manifest('CloudAPIToken', name, { secretName: `${name}-token`, ...spec })
const idOf = (object: AnyObject) => String(object.status?.['id'])
const tokenCalls = (since: number) => sent(story, since).filter(([call]) => call.endsWith('/token'))

test('a token is tied to the billing account, works, and stands in its Secret', async () => {
  story.operator = await story.start(TRACE)
  await story.apply(token('ci', { description: 'build server' }))
  const object = await story.ready('cloudapitoken', 'ci')
  expect(object.status).toMatchObject({ restricted: true, billingAccount: 2001, secretName: 'ci-token' })
  expect(object.status?.['consumerID']).toEqual(expect.any(String))
  expect(row(idOf(object))).toMatchObject({ restricted: true, billingAccount: 2001 })
  expect(String(row(idOf(object))?.['description'])).toMatch(/^build server k8s-[a-z2-7]{14}$/)
  expect(await userOf(await tokenIn('ci-token'))).toBe(story.account.userId)
  expect(await story.run('get', 'secret', 'ci-token', '-o', 'jsonpath={.data.endpoint}')).toBe(
    Buffer.from(story.simulator.url).toString('base64'),
  )
})

test('two with the same description get one each', async () => {
  const since = lastCall(story)
  await story.apply(token('one', { description: 'same' }), token('two', { description: 'same' }))
  const [one, two] = [await story.ready('cloudapitoken', 'one'), await story.ready('cloudapitoken', 'two')]
  expect(idOf(one)).not.toBe(idOf(two))
  expect(await tokenIn('one-token')).not.toBe(await tokenIn('two-token'))
  expect(tokenCalls(since)).toHaveLength(2)
})

test('description and billing account are changed together, and the billing account is always sent', async () => {
  const id = idOf(await story.ready('cloudapitoken', 'one'))
  let since = lastCall(story)
  await story.edit('cloudapitoken', 'one', { spec: { description: 'another' } })
  await story.ready('cloudapitoken', 'one')
  expect(tokenCalls(since)).toEqual([
    ['PATCH /user-resource/token', expect.objectContaining({ token_id: id, billing_account_id: '2001' })],
  ])
  since = lastCall(story)
  await story.edit('cloudapitoken', 'one', { spec: { billingAccount: 2002 } })
  await story.ready('cloudapitoken', 'one')
  expect(tokenCalls(since)).toHaveLength(1)
  expect(row(id)).toMatchObject({ restricted: true, billingAccount: 2002 })
  expect(String(row(id)?.['description'])).toMatch(/^another k8s-/)
})

test('one for all billing accounts is tied to none', async () => {
  const refusal = await story.refused(
    ['apply', '-f', '-'],
    token('all', { scope: 'AllBillingAccounts', billingAccount: 1 }),
  )
  expect(refusal).toContain('billingAccount is refused with scope AllBillingAccounts')
  await story.apply(token('all', { scope: 'AllBillingAccounts' }))
  const object = await story.ready('cloudapitoken', 'all')
  expect(row(idOf(object))).toMatchObject({ restricted: false, billingAccount: 0 })
})

test('a rotation makes the new token, switches the Secret, and removes the old one after its time', async () => {
  await story.edit('cloudapitoken', 'two', { spec: { rotation: { graceSeconds: 60 } } })
  const old = idOf(await story.ready('cloudapitoken', 'two'))
  const oldToken = await tokenIn('two-token')
  const since = lastCall(story)
  await story.run('annotate', 'cloudapitoken', 'two', 'cloud-operator.dev/rotate=1')
  const switched = await story.until('cloudapitoken', 'two', 'switched', (each) => {
    return idOf(each) !== old && conditionOf(each, 'Ready')?.status === 'True'
  })
  const newToken = await tokenIn('two-token')
  expect(newToken).not.toBe(oldToken)
  expect([await userOf(newToken), await userOf(oldToken)]).toEqual([
    story.account.userId,
    story.account.userId,
  ])
  await story.until('cloudapitoken', 'two', 'over', (each) => each.status?.['retiring'] === undefined)
  expect(await userOf(oldToken)).toBe(-403)
  expect(row(idOf(switched))).toBeDefined()
  expect(tokenCalls(since).map(([call]) => call)).toEqual([
    'POST /user-resource/token',
    'DELETE /user-resource/token',
  ])
})

test.each([
  ['afterCommit', 1],
  ['before', 2],
] as const)(
  'killed with a create in flight (%s): exactly one token',
  async (point, calls) => {
    const { control } = story.simulator
    const before = cloudTokens().length
    const since = lastCall(story)
    const { id } = control.hold({ method: 'POST', path: '/user-resource/token', point })
    await story.apply(token(`killed-${calls}`))
    await control.waitHeld(id, 60_000)
    await story.operator.stop('SIGKILL')
    control.release(id, 'reset')
    story.operator = await story.start(TRACE)
    await story.ready('cloudapitoken', `killed-${calls}`)
    expect(cloudTokens()).toHaveLength(before + 1)
    expect(tokenCalls(since)).toHaveLength(calls)
    expect(await userOf(await tokenIn(`killed-${calls}-token`))).toBe(story.account.userId)
  },
  180_000,
)

test("the account's own key is not deleted, although it is a token of ours", async () => {
  const own = await tokenIn('all-token')
  const secret = JSON.stringify({ stringData: { apikey: own } })
  await story.run('patch', 'secret', 'cloud-token', `--patch=${secret}`)
  await story.run('annotate', 'cloudaccount', 'default', 'cloud-operator.dev/reconcile-requested-at=1')
  await story.ready('cloudaccount', 'default')
  await story.run('delete', 'cloudapitoken', 'all', '--wait=false')
  const held = await story.until('cloudapitoken', 'all', 'held', (each) => {
    return conditionOf(each, 'Stalled')?.reason === 'ReferenceInvalid'
  })
  expect(conditionOf(held, 'Ready')?.message).toContain('the account itself uses this token')
  expect(await userOf(own)).toBe(story.account.userId)
  const back = JSON.stringify({ stringData: { apikey: story.account.apiKey } })
  await story.run('patch', 'secret', 'cloud-token', `--patch=${back}`)
  await story.run(
    'annotate',
    '--overwrite',
    'cloudaccount',
    'default',
    'cloud-operator.dev/reconcile-requested-at=2',
  )
  await story.gone('cloudapitoken', 'all')
  expect(await userOf(own)).toBe(-403)
}, 120_000)

test('deleted they are gone from the cloud, and the operator’s own is still there', async () => {
  await story.run('delete', 'cloudapitoken', '--all', '--wait=false')
  for (const name of ['ci', 'one', 'two', 'killed-1', 'killed-2']) await story.gone('cloudapitoken', name)
  await vi.waitFor(() => expect(cloudTokens()).toHaveLength(1), 10_000)
  expect(await userOf(story.account.apiKey)).toBe(story.account.userId)
})

test('no secret was said anywhere', async () => {
  await expectUnsaid(story, [...said, story.account.apiKey])
  expectOrderly(story)
})
