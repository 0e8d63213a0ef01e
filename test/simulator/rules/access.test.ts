/** Rules on who may ask for what: keys, own resources, billing accounts. */
import { describe, expect, test } from 'vitest'
import {
  billing,
  idOf,
  made,
  newDisk,
  newVm,
  open,
  profiles,
  rows,
  vmForm,
  without,
  type Api,
} from '../kit.ts'
import { operations } from '../operations.ts'

const somePath = (pattern: string) => pattern.replace(/:\w+/g, 'none')

/** Asks for a thing, with or without a billing account. */
const asks: Record<string, (api: Api, account?: object) => ReturnType<Api['get']>> = {
  VM: (api, account) =>
    api.form('POST', '/user-resource/vm', { ...without(vmForm(), 'billing_account_id'), ...account }),
  disk: (api, account) => api.form('POST', '/storage/disks', { size_gb: 5, ...account }),
  bucket: (api, account) => api.form('PUT', '/storage/bucket', { name: 'some-bucket', ...account }),
  'floating IP': (api, account) => api.json('POST', '/network/ip_addresses', { ...account }),
}

describe.each(profiles)('keys, %s', (profile) => {
  test('no operation answers without a key, or with an unknown one', async () => {
    const api = await open({ profile })
    for (const { method, path } of operations) {
      expect([path, (await api.as('').bare(method, somePath(path))).status]).toEqual([path, 401])
      expect([path, (await api.as('unknown').bare(method, somePath(path))).status]).toEqual([path, 403])
    }
  })

  test('the key is read from the header apikey and from nowhere else', async () => {
    const { simulator } = await open({ profile })
    const url = `${simulator.url}/v1/user-resource/user`
    const status = async (at: string, headers: Record<string, string>) =>
      (await fetch(at, { headers })).status
    expect(await status(url, { apikey: simulator.apiKey })).toBe(200)
    expect(await status(url, { authorization: `Bearer ${simulator.apiKey}` })).toBe(401)
    expect(await status(`${url}?apikey=${simulator.apiKey}`, {})).toBe(401)
  })

  test('a new key opens the service at once, a deleted one no more', async () => {
    const api = await open({ profile })
    const [, token] = rows(await api.form('POST', '/user-resource/token', { description: 'x' }))
    const other = api.as(idOf(token ?? {}, 'token'))
    expect((await other.get('/user-resource/user')).status).toBe(200)
    await api.form('DELETE', '/user-resource/token', { token_id: Number(token?.['id']) })
    expect((await other.get('/user-resource/user')).status).toBe(403)
  })
})

describe.each(profiles)('whose things, %s', (profile) => {
  test.each(['/user-resource/vm/list', '/storage/disks', '/storage/bucket/list', '/network/ip_addresses'])(
    'a list holds only what is the own: %s',
    async (path) => {
      const api = await open({ profile })
      await newVm(api)
      await asks['bucket']?.(api, { billing_account_id: billing })
      const other = api.as(api.simulator.control.createAccount().apiKey)
      expect(rows(await api.get(path))).toHaveLength(1)
      expect(rows(await other.get(path))).toEqual([])
    },
  )

  test('nothing of another account can be read, changed or deleted', async () => {
    const api = await open({ profile })
    const [vm, disk] = [await newVm(api), await newDisk(api)]
    await asks['bucket']?.(api, { billing_account_id: billing })
    const net = idOf(made(await api.bare('POST', '/network/network?name=mine')))
    const [ip] = rows(await api.get('/network/ip_addresses'))
    const before = api.simulator.control.inventory(api.simulator.apiKey)
    const other = api.as(api.simulator.control.createAccount().apiKey)
    const answers = [
      await other.get(`/user-resource/vm?uuid=${vm}`),
      await other.form('PATCH', '/user-resource/vm', { uuid: vm, name: 'theirs' }),
      await other.form('DELETE', '/user-resource/vm', { uuid: vm }),
      await other.get(`/storage/disks/${disk}`),
      await other.bare('DELETE', `/storage/disks/${disk}`),
      await other.bare('DELETE', '/storage/bucket?name=some-bucket'),
      await other.bare('PUT', `/network/network/${net}/default`),
      await other.bare('DELETE', `/network/network/${net}`),
      await other.bare('DELETE', `/network/ip_addresses/${idOf(ip ?? {}, 'address')}`),
    ]
    for (const answer of answers) expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(api.simulator.control.inventory(api.simulator.apiKey)).toEqual(before)
  })
})

describe.each(profiles)('billing accounts, %s', (profile) => {
  test.each(['VM', 'disk', 'bucket', 'floating IP'])(
    'a global token must name one for a new %s',
    async (thing) => {
      const api = await open({ profile })
      const refused = await asks[thing]?.(api)
      expect(refused?.status).toBe(400)
      expect(refused?.text).toContain('billing_account_id')
      expect((await asks[thing]?.(api, { billing_account_id: billing }))?.status).toBeLessThan(300)
    },
  )

  test.each(['VM', 'disk', 'bucket'])('a restricted token need not name one for a new %s', async (thing) => {
    const api = await open({ profile })
    const own = api.as(api.simulator.control.createAccount({ restrictedTo: 77 }).apiKey)
    const record = (await asks[thing]?.(own))?.body
    expect(record).toHaveProperty(thing === 'VM' ? 'billing_account' : 'billing_account_id', 77)
  })

  test.each(['VM', 'disk', 'bucket', 'floating IP'])(
    'a restricted token may name no other for a new %s',
    async (thing) => {
      const api = await open({ profile })
      const wish = { restrictedTo: 77, billingAccounts: [77, 78] }
      const own = api.as(api.simulator.control.createAccount(wish).apiKey)
      expect((await asks[thing]?.(own, { billing_account_id: 78 }))?.status).toBe(400)
      expect((await asks[thing]?.(own, { billing_account_id: 77 }))?.status).toBeLessThan(300)
    },
  )

  test("another's billing account cannot be named", async () => {
    const api = await open({ profile })
    const other = api.simulator.control.createAccount()
    for (const ask of Object.values(asks)) {
      const answer = await ask(api, { billing_account_id: other.billingAccount })
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('billing_account_id')])
    }
  })
})
