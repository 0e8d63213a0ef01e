import { expect, test } from 'vitest'
import type { Operation } from '../../../src/api/shared.ts'
import type { CloudResource } from '../../../src/reconcile/kind.ts'
import type { Pass } from '../../../src/reconcile/pass.ts'
import { machinesDetail, machinesOf, unansweredOn } from '../../../src/reconcile/turn.ts'
import { object, storesWith } from './objects.ts'

const open = (verb: string, details: Record<string, string> = {}): Operation => ({
  id: 'op',
  verb,
  issuedAt: '2026-01-01T00:00:00Z',
  details: { machines: 'vm-1', ...details },
})
const vm = (operation?: Operation) =>
  object({ status: { id: 'vm-1', ...(operation !== undefined && { operation }) } })
const disk = (operation?: Operation) =>
  object({
    kind: 'CloudDisk',
    name: 'data',
    spec: { vmRef: { name: 'web' } },
    status: { id: 'disk-1', ...(operation !== undefined && { operation }) },
  })

/** Who must be waited for, in the eyes of one of two objects. */
function seenBy(one: CloudResource, other: CloudResource, ageMs = 0): string | undefined {
  const { live, references } = storesWith(one, other)
  const pass = {
    env: { stores: live, references, ages: { of: () => ageMs } },
    kind: { kind: one.kind },
    object: one,
    session: { endpoint: 'https://a', settleMs: 60_000 },
  } as unknown as Pass
  return unansweredOn(pass, 'vm-1')?.kind
}

test('a disk waits for a change of its machine that was not answered', () => {
  expect(seenBy(disk(), vm(open('stop')))).toBe('CloudVM')
  expect(seenBy(disk(), vm())).toBeUndefined()
})

test('a machine waits for a change by a disk that was not answered', () => {
  expect(seenBy(vm(), disk(open('attach')))).toBe('CloudDisk')
  expect(seenBy(vm(), disk())).toBeUndefined()
})

test('what was answered is no secret: it shows, or the service says that it is busy', () => {
  expect(seenBy(disk(), vm(open('stop', { answered: 'true' })))).toBeUndefined()
})

test('a snapshot of the machine that was not answered holds it, until its id is known or a person is asked', () => {
  const snapshot = (more: object, id?: string) =>
    object({
      kind: 'CloudSnapshot',
      name: 'snap',
      spec: { vmRef: { name: 'web' } },
      status: { operation: { ...open('create'), ...more }, ...(id !== undefined && { id }) },
    })
  expect(seenBy(vm(), snapshot({}))).toBe('CloudSnapshot')
  expect(seenBy(disk(), snapshot({}))).toBe('CloudSnapshot')
  expect(seenBy(vm(), snapshot({}, 'snap-1'))).toBeUndefined()
  expect(seenBy(vm(), snapshot({ candidates: ['snap-2'] }))).toBeUndefined()
  expect(seenBy(vm(), snapshot({ details: { machines: 'vm-1', accepted: 'true' } }))).toBeUndefined()
})

test('two disks wait for each other at one machine, and for nothing at another', () => {
  const other = object({ kind: 'CloudDisk', name: 'logs', status: { id: 'disk-2' } })
  expect(seenBy(other, disk(open('attach')))).toBe('CloudDisk')
  expect(seenBy(other, disk(open('attach', { machines: 'vm-2' })))).toBeUndefined()
})

test('what is older than the settle time holds nobody: it is sent again, or a person is asked', () => {
  expect(seenBy(vm(), disk(open('attach')), 59_999)).toBe('CloudDisk')
  expect(seenBy(vm(), disk(open('attach')), 60_000)).toBeUndefined()
})

test('all machines of a load balancer are known again, however many', () => {
  const ids = Array.from({ length: 40 }, (_, nth) => `00000000-0000-4000-8000-0000000000${10 + nth}`)
  const details = machinesDetail({ nature: 'create', words: '', locks: ids })
  expect(Object.values(details).every((text) => text.length <= 512)).toBe(true)
  expect(machinesOf({ id: 'op', verb: 'create', issuedAt: '', details })).toEqual(ids)
})

test('what works on no machine holds nobody', () => {
  const alone: Operation = { id: 'op', verb: 'create', issuedAt: '2026-01-01T00:00:00Z' }
  expect(seenBy(vm(), disk(alone))).toBeUndefined()
})
