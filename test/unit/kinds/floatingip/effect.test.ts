import { expect, test } from 'vitest'
import type { FloatingIpStatus } from '../../../../src/api/floatingip.ts'
import {
  floatingIpEffect,
  floatingIpFacts,
  reportFloatingIp,
  type FloatingIpStep,
  type WantedFloatingIp,
} from '../../../../src/kinds/floatingip/plan.ts'
import type { SeenFloatingIp } from '../../../../src/kinds/floatingip/seen.ts'
import {
  assign,
  assigning,
  front,
  on,
  other,
  ours,
  remembering,
  seen,
  to,
  unassign,
  want,
  web,
} from './cases.ts'

test.each<[string, FloatingIpStep, Partial<SeenFloatingIp>, boolean]>([
  ['an assign shows once the address is at its target', assign(web), on(web), true],
  ['an assign does not show while the address is free', assign(web), {}, false],
  ['an assign does not show while the address is elsewhere', assign(web), on(other), false],
  ['an unassign shows once the address is free', unassign(web), {}, true],
  ['an unassign does not show while the address is where it was', unassign(web), on(web), false],
  ['an unassign shows although somebody assigned it elsewhere at once', unassign(web), on(other), true],
])('%s', (_says, step, shown, visible) => {
  const { details = {} } = floatingIpFacts(step)
  const operation = { id: 'op', verb: step.do, issuedAt: '', details: { ...details } }
  expect(floatingIpEffect(operation, { ...seen, ...shown })).toBe(visible)
})

test('moves and the two ends have an intent; a call that names a target holds its lock', () => {
  const natureOf = (step: FloatingIpStep) => floatingIpFacts(step).nature
  expect(natureOf({ do: 'create', name: 'a', billingAccount: 1 })).toBe('create')
  expect(natureOf({ do: 'update', name: 'a' })).toBe('set')
  expect([natureOf(assign(web)), natureOf(unassign(web))]).toEqual(['move', 'move'])
  expect(natureOf({ do: 'delete' })).toBe('destroy')
  expect(floatingIpFacts(assign(web)).locks).toEqual(['vm-web'])
  expect(floatingIpFacts(assign(front)).locks).toEqual(['lb-front'])
  expect(floatingIpFacts(unassign(web)).locks).toBeUndefined()
})

test.each<[string, Partial<SeenFloatingIp>, FloatingIpStatus | undefined, Partial<WantedFloatingIp>, object]>(
  [
    [
      'a free address shows no target and no private address',
      {},
      { ...ours(web), privateAddress: '10.0.0.4' },
      {},
      { address: '203.0.113.7', assignedTo: undefined, privateAddress: undefined },
    ],
    [
      'the target is shown under its name',
      { assigned: { to: web.id, type: 'virtual_machine', privateAddress: '10.0.0.4' }, enabled: true },
      undefined,
      to(web),
      {
        address: '203.0.113.7',
        assignedTo: { kind: 'CloudVM', name: 'web', id: web.id },
        privateAddress: '10.0.0.4',
        enabled: true,
      },
    ],
    [
      'an earlier target keeps its name while the address is still there',
      { assigned: { to: web.id } },
      { ...ours(web), privateAddress: '10.0.0.4' },
      to(other),
      { address: '203.0.113.7', assignedTo: { kind: 'CloudVM', name: 'web', id: web.id } },
    ],
    [
      'the target of an open assign is shown under the name that the intent holds',
      { assigned: { to: web.id } },
      assigning(web),
      to(other),
      {
        address: '203.0.113.7',
        assignedTo: { kind: 'CloudVM', name: 'web', id: web.id },
        privateAddress: undefined,
      },
    ],
    [
      'a stranger is shown by the word of the service and without a name',
      on(other),
      { ...ours(web), privateAddress: '10.0.0.4' },
      to(web),
      {
        address: '203.0.113.7',
        assignedTo: { kind: 'virtual_machine', id: other.id },
        privateAddress: undefined,
      },
    ],
  ],
)('%s', (_says, shown, status, wanted, fields) => {
  const patch = reportFloatingIp({ ...seen, ...shown }, remembering(status), { ...want, ...wanted })
  expect(patch).toStrictEqual(fields)
})
