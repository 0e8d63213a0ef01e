/** Sessions of accounts: who is told, and what becomes of one whose key was rotated. */
import { afterEach, expect, test } from 'vitest'
import { createAccounts } from '../../../src/reconcile/accounts.ts'
import type { Session } from '../../../src/reconcile/session.ts'
import { simulatedAccount, type SimulatedAccount } from '../../support/session.ts'

const open: SimulatedAccount[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()))
})

async function rig() {
  const at = await simulatedAccount()
  open.push(at)
  const told: string[] = []
  const accounts = createAccounts(
    (key) => void told.push(key),
    (key) => key === 'team/there',
  )
  const session: Session = { ...at.session, account: 'team/default' }
  return { accounts, session, told, at }
}

test('one that does not exist, one that was not looked at yet, one that is ready', async () => {
  const { accounts, session, told } = await rig()
  expect(accounts.session('team', 'default')).toMatchObject({ is: 'waiting' })
  expect(accounts.session('team', 'there')).toEqual({ is: 'unseen' })
  accounts.publish('team/default', { is: 'ready', session })
  accounts.publish('team/default', { is: 'ready', session })
  expect(accounts.session('team', 'default')).toEqual({ is: 'ready', session })
  expect(told).toEqual(['team/default'])
  accounts.withdraw('team/default')
  expect(accounts.session('team', 'default')).toMatchObject({ is: 'waiting' })
  expect(told).toEqual(['team/default', 'team/default'])
})

test('one that goes before it was looked at: who waited for that look is told', async () => {
  const { accounts, told } = await rig()
  expect(accounts.session('team', 'there')).toEqual({ is: 'unseen' })
  accounts.withdraw('team/there')
  expect(told).toEqual(['team/there'])
  // Objects of an account that nobody made have it looked for again and again.
  accounts.withdraw('team/there')
  accounts.withdraw('team/never')
  expect(told).toEqual(['team/there'])
})

test('a key that is no longer accepted pauses its account, but not one that has a new key meanwhile', async () => {
  const { accounts, session, at } = await rig()
  accounts.publish('team/default', { is: 'ready', session })
  expect(await accounts.keyWorks(session)).toBe(true)
  at.service.control.addFault({
    method: 'GET',
    path: '/user-resource/user',
    point: 'before',
    times: 9,
    action: { answer: { status: 403, body: { message: 'Invalid authentication credentials' } } },
  })
  const next: Session = { ...session }
  accounts.publish('team/default', { is: 'ready', session: next })
  expect(await accounts.keyWorks(session)).toBe(false)
  expect(accounts.session('team', 'default')).toEqual({ is: 'ready', session: next })
  expect(await accounts.keyWorks(next)).toBe(false)
  expect(accounts.session('team', 'default')).toMatchObject({ is: 'waiting' })
})
