/** What a snapshot wishes of its machine, and what is recorded and reported. */
import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../../src/api/shared.ts'
import type { CloudSnapshot, SnapshotStatus } from '../../../../src/api/snapshot.ts'
import type { CloudVM, VmStatus } from '../../../../src/api/vm.ts'
import { snapshotKind } from '../../../../src/kinds/snapshot/kind.ts'
import type { SeenSnapshot } from '../../../../src/kinds/snapshot/seen.ts'
import type { LinkState, WishFacts } from '../../../../src/reconcile/kind.ts'
import { markerOf } from '../../../../src/reconcile/marker.ts'
import type { Session } from '../../../../src/reconcile/session.ts'
import { object } from '../../reconcile/objects.ts'

const session = { endpoint: 'https://cloud.example', userID: 7 } as Session
const disks = [
  { id: 'data', primary: false },
  { id: 'boot', primary: true },
]

function snapshot(status?: SnapshotStatus, adopt?: string): CloudSnapshot {
  const spec = { vmRef: { name: 'db' }, ...(adopt !== undefined && { adopt: { id: adopt } }) }
  return { ...object({ kind: 'CloudSnapshot', name: 's' }), spec, ...(status && { status }) }
}

function machine(status: VmStatus = {}): LinkState {
  const vm: CloudVM = {
    ...object({ kind: 'CloudVM', name: 'db' }),
    spec: {},
    status: { id: 'vm-1', location: 'jkt01', disks, ...status },
  }
  return { state: 'ready', id: 'vm-1', object: vm }
}

function wish(of: CloudSnapshot, link: LinkState | undefined = machine()) {
  const facts: WishFacts = {
    marker: markerOf('cluster', 'uid'),
    session,
    location: 'jkt01',
    link: () => link,
    secret: () => undefined,
    peers: () => [],
    referrers: () => [],
  }
  return snapshotKind.want(of, facts)
}

const operation: Operation = { id: 'op', verb: 'stop', issuedAt: '2026-01-01T00:00:00Z' }

describe('what it wishes', () => {
  test('a snapshot of its machine’s boot disk', () => {
    const want = { vm: { name: 'db', id: 'vm-1' }, diskID: 'boot', create: true }
    expect(wish(snapshot())).toEqual({ is: 'ready', want })
    expect(wish(snapshot(undefined, 'r-1'))).toEqual({ is: 'ready', want: { ...want, create: false } })
  })

  test.each<[string, VmStatus['disks'], string | undefined]>([
    ['the only one', [{ id: 'one' }], 'one'],
    ['of several the one that is said to be', [{ id: 'a' }, { id: 'b', primary: true }], 'b'],
    ['not known of several', [{ id: 'a' }, { id: 'b' }], undefined],
    ['not known', [], undefined],
  ])('the boot disk is %s', (_what, shown, diskID) => {
    expect(wish(snapshot(), machine({ disks: shown ?? [] }))).toMatchObject({ want: { diskID } })
  })

  test.each<[string, LinkState | undefined]>([
    ['is being deleted', { state: 'leaving', object: object() }],
    ['is not there yet', { state: 'waiting', message: 'spec.vmRef: CloudVM db does not exist yet' }],
    ['is being changed', machine({ operation })],
  ])('a machine that %s is waited for', (_what, link) => {
    const waits = wish(snapshot(), link)
    expect(waits).toMatchObject({ is: 'waiting', wait: { reason: 'WaitingForDependency' } })
    expect(waits.is === 'waiting' && waits.wait.message).toMatch(/^spec\.vmRef: CloudVM db /)
  })

  test('taking one over does not wait for a change of its machine: it takes no call', () => {
    expect(wish(snapshot(undefined, 'r-1'), machine({ operation })).is).toBe('ready')
  })

  test('one that is deleted itself, and lost its status, is looked for at its machine, whatever becomes of that', () => {
    const metadata = { ...snapshot().metadata, deletionTimestamp: '2026-01-02T00:00:00Z' }
    const lost = { ...snapshot(), metadata }
    const vm = { vm: { id: 'vm-1' } }
    const leaving = object({ status: { id: 'vm-1', operation }, deleting: true })
    expect(wish(lost, { state: 'leaving', object: leaving })).toMatchObject({ is: 'ready', want: vm })
    expect(wish(lost, machine({ operation }))).toMatchObject({ is: 'ready', want: vm })
    expect(wish(lost, { state: 'leaving', object: object() }).is).toBe('waiting')
  })

  test('a machine of another user or place is a wrong reference', () => {
    const elsewhere = machine({ location: 'sgp01' })
    expect(wish(snapshot(), elsewhere)).toMatchObject({ block: { reason: 'ReferenceInvalid' } })
    const foreign = machine({ account: { endpoint: 'https://cloud.example', userID: 8 } })
    expect(wish(snapshot(), foreign)).toMatchObject({ block: { reason: 'ReferenceInvalid' } })
  })

  test('one that exists needs no machine object any more', () => {
    const status = { id: 'r-1', vm: { name: 'db', id: 'vm-0' }, diskID: 'boot-0' }
    const want = { vm: { name: 'db', id: 'vm-0' }, diskID: 'boot-0', create: true }
    expect(wish(snapshot(status), { state: 'leaving', object: object() })).toEqual({ is: 'ready', want })
  })
})

test('its account and place are those of its machine, and its deletion needs no reference', () => {
  expect(snapshotKind.follows?.name(snapshot())).toBe('db')
  expect(snapshotKind.links(snapshot())).toEqual([
    { field: 'spec.vmRef', kind: 'CloudVM', name: 'db', needed: 'create' },
  ])
})

test('what reads need is recorded before anything exists, and nothing of an earlier try is left', () => {
  const want = { vm: { name: 'db', id: 'vm-1' }, diskID: undefined, create: true }
  expect(snapshotKind.pins?.(want)).toEqual({
    vm: { name: 'db', id: 'vm-1' },
    diskID: undefined,
    type: undefined,
    sizeGiB: undefined,
    takenAt: undefined,
  })
})

const seen: SeenSnapshot = {
  id: 'r-1',
  vmID: 'vm-1',
  type: 'snapshot',
  sizeGiB: 20,
  diskID: 'boot',
  createdAt: '2026-01-01 10:00:00.123456',
}

function report(shown: SeenSnapshot, status: SnapshotStatus = {}) {
  return snapshotKind.report(shown, { status, appliedBefore: false }, undefined)
}

test('it reports what it is, and another form of the same time changes nothing', () => {
  const status = { type: 'snapshot', sizeGiB: 20, diskID: 'boot', takenAt: '2026-01-01 10:00:00.123456' }
  expect(report(seen)).toEqual(status)
  expect(report({ ...seen, createdAt: '2026-01-01T10:00:00Z' }, status)).toEqual(status)
  expect(report({ ...seen, createdAt: '2026-01-01 11:00:00' }, status).takenAt).toBe('2026-01-01 11:00:00')
  expect(report({ id: 'r-1', vmID: 'vm-1' })).toEqual({})
})

test('nothing in what is said of it changes with time', () => {
  expect(snapshotKind.usability(seen, undefined)).toEqual({
    usable: true,
    reason: 'Available',
    message: 'The snapshot is available.',
  })
  expect(snapshotKind.remakes(snapshot())).toBe(false)
})

test.each<[string, Record<string, string>, string | undefined, boolean]>([
  ['unanswered: any of the machine', { disk: 'boot' }, 'another', true],
  ['answered: one of the disk that was meant', { disk: 'boot', accepted: 'true' }, 'boot', true],
  ['answered: not one of another disk', { disk: 'boot', accepted: 'true' }, 'another', false],
  ['answered: one that does not say of which disk', { disk: 'boot', accepted: 'true' }, undefined, true],
  ['answered, the disk unknown', { accepted: 'true' }, 'another', true],
])('what an open create may have taken: %s', (_what, details, diskID, may) => {
  const row: SeenSnapshot = { id: 'r-2', vmID: 'vm-1', ...(diskID !== undefined && { diskID }) }
  const want = { vm: { name: 'db', id: 'vm-1' }, diskID: 'boot', create: true }
  const open = { ...operation, verb: 'create', details }
  expect(snapshotKind.creation.candidate(want, row, open)).toBe(may)
})
