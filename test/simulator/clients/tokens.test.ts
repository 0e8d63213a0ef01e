import { expect, test } from 'vitest'
import { expectCalled, refused, service, withoutSlug } from './service.ts'
import { tokenOperations, tokensClient } from './tokens.ts'
import { userClient } from './user.ts'
import { vmsClient } from './vms.ts'

test.each(withoutSlug)('a stranger keeps its own API tokens, %o', async (way) => {
  const { wire, as, called, billingAccount } = await service(way)
  const tokens = tokensClient(wire)
  const first = await tokens.list()
  expect(first).toHaveLength(1)
  expect(first[0]).toMatchObject({ billing_account_id: 0, restricted: false, updated_at: null })

  const created = await tokens.create({
    billing_account_id: billingAccount,
    description: 'for CI',
    restricted: true,
  })
  const [made, ...others] = created.filter((token) => !first.some(({ id }) => id === token.id))
  if (made === undefined) throw new Error('no new token')
  expect(others).toEqual([])
  expect(made).toMatchObject({
    billing_account_id: billingAccount,
    description: 'for CI',
    restricted: true,
    user_id: first[0]?.user_id,
  })
  expect(await tokens.list()).toEqual(created)
  expect((await userClient(as(made.token)).get()).id).toBe(made.user_id)

  // With a token of one billing account none need be named.
  const vm = await vmsClient(as(made.token)).create({
    name: 'ci',
    os_name: 'ubuntu',
    os_version: '22.04',
    disks: '10',
    vcpu: 1,
    ram: 1024,
    username: 'ci',
    password: 'Secret123',
  })
  expect(vm.billing_account).toBe(billingAccount)

  const [plain] = (await tokens.create({})).filter(({ id }) => !created.some((token) => token.id === id))
  expect(plain).toMatchObject({ billing_account_id: 0, description: '', restricted: false })
  const id = plain?.id ?? 0
  // Any supplied value of restricted sets it.
  await tokens.update(id, { description: 'second', billing_account_id: billingAccount, restricted: false })
  const updated = (await tokens.list()).find((token) => token.id === id)
  expect(updated).toMatchObject({ description: 'second', restricted: true, token: plain?.token })
  expect(updated?.updated_at).not.toBeNull()

  await tokens.delete(id)
  await tokens.delete(made.id)
  expect(await tokens.list()).toEqual(first)
  await refused(tokens.delete(made.id), /delete.*gateway/)
  await refused(tokens.update(made.id, {}), /update.*gateway/)
  await refused(userClient(as(made.token)).get(), /credentials/)
  expectCalled(called, tokenOperations)
})
