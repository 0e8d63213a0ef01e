import { expect, test } from 'vitest'
import { expectCalled, service, withoutSlug } from './service.ts'
import { userClient, userOperations } from './user.ts'

test.each(withoutSlug)('a stranger reads and changes its own user, %o', async (way) => {
  const { wire, as, called, simulator } = await service(way)
  const user = userClient(wire)
  const before = await user.get()
  const changed = await user.changeProfile({
    first_name: 'Ada + Grace',
    phone_number: '(+372) 5 / ext. 7',
  })
  expect(changed).toEqual({
    ...before.profile_data,
    first_name: 'Ada + Grace',
    phone_number: '(+372) 5 / ext. 7',
    updated_at: changed.updated_at,
  })
  const all = { first_name: 'A', last_name: 'Õ', phone_number: '1', personal_id_number: '38001010000' }
  expect(await user.changeProfile(all)).toMatchObject(all)
  expect(await user.get()).toMatchObject({ id: before.id, profile_data: { ...all, user_id: before.id } })

  const other = userClient(as(simulator.control.createAccount().apiKey))
  expect((await other.get()).profile_data.first_name).not.toBe('A')
  expectCalled(called, userOperations)
})
