/** What is told to a simulator and makes no sense is refused, and changes nothing. */
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createAdminClient } from '../../src/simulator/admin-client.ts'
import { open, rows } from './kit.ts'
import { ways, type Told } from './ways.ts'

const disks = '/storage/disks'
const listing = { method: 'GET', path: disks, point: 'before' } as const

describe.each(ways)('a wish that is not understood is refused, %s', (_way, told) => {
  const fault = { ...listing, action: { reset: true } } as const
  const wishes: readonly [string, RegExp, (control: Told) => Promise<unknown>][] = [
    [
      'a fault without an action',
      /fault.action must have one of/,
      (control) => control.addFault({ ...fault, action: {} as never }),
    ],
    [
      'two actions',
      /fault.action/,
      (control) => control.addFault({ ...fault, action: { reset: true, hang: true } as never }),
    ],
    [
      'no method',
      /fault.method must be text/,
      (control) => control.addFault({ ...fault, method: undefined as never }),
    ],
    ['a path without its slash', /fault.path/, (control) => control.addFault({ ...fault, path: 'vm' })],
    ['another point', /fault.point/, (control) => control.addFault({ ...fault, point: 'after' as never })],
    ['the 0th call', /fault.nth/, (control) => control.addFault({ ...fault, nth: 0 })],
    [
      'a field more',
      /fault.count is unknown/,
      (control) => control.addFault({ ...fault, count: 2 } as never),
    ],
    [
      'status 99',
      /fault.action.answer.status/,
      (control) => control.addFault({ ...fault, action: { answer: { status: 99 } } }),
    ],
    [
      'a broken header',
      /[Ii]nvalid character/,
      (control) =>
        control.addFault({
          ...fault,
          action: { answer: { status: 400, headers: { 'retry-after': '1\r\n' } } },
        }),
    ],
    [
      'a hold without a point',
      /hold.point/,
      (control) => control.hold({ method: 'GET', path: disks } as never),
    ],
    ['an unknown rule', /no such rule: colour/, (control) => control.setRule('colour' as 'tombstones', true)],
    [
      'a rule of another kind',
      /ramStepMib must be a whole number/,
      (control) => control.setRule('ramStepMib', 'x' as never),
    ],
    ['a quota below zero', /quota.disks/, (control) => control.setQuota({ disks: -1 })],
    [
      'a quota of nobody',
      /no account has that key/,
      (control) => control.setQuota({ apiKey: 'nobody', disks: 1 }),
    ],
    ['a key that is taken', /account.apiKey is taken/, (control) => control.createAccount({ apiKey: 'dev' })],
    [
      'a restriction to a foreign billing account',
      /restrictedTo must be one of billingAccounts/,
      (control) => control.createAccount({ billingAccounts: [1], restrictedTo: 2 }),
    ],
    ['an unknown change', /no such change: explode/, (control) => control.mutate({ do: 'explode' } as never)],
    [
      'a change without its thing',
      /delete.id must be text/,
      (control) => control.mutate({ do: 'delete', kind: 'vm' } as never),
    ],
    [
      'a field that a VM does not have',
      /setVm.set.storage is unknown/,
      (control) => control.mutate({ do: 'setVm', uuid: 'x', set: { storage: [] } } as never),
    ],
    [
      'strangers nowhere',
      /create.location/,
      (control) => control.mutate({ do: 'create', kind: 'vm', location: 'x' }),
    ],
    [
      'a state that is none',
      /not a state of the simulator: seed is missing/,
      (control) => control.load('{}'),
    ],
  ]

  test.each(wishes)('%s', async (_what, problem, wish) => {
    const api = await open({ apiKey: 'dev' })
    const before = api.simulator.control.dump()
    await expect(wish(told(api))).rejects.toThrow(problem)
    expect(api.simulator.control.dump()).toBe(before)
    expect(rows(await api.get(disks))).toEqual([])
  })
})

test('the admin port says no to what is no address, and goes on', async () => {
  const api = await open()
  const { port } = new URL(api.simulator.adminUrl)
  const said = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write('GET // HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'),
    )
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
  expect(said).toMatch(/^HTTP\/1.1 404 /)
  expect(await createAdminClient(api.simulator.adminUrl).counters()).toMatchObject({
    preconditionsViolated: 0,
  })
})
