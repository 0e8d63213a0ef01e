/** Objects in the cloud with the name of a new one and somebody's marker. */
import { expect, test } from 'vitest'
import type { Environment } from '../../../src/reconcile/environment.ts'
import type { CloudResource, Seen } from '../../../src/reconcile/kind.ts'
import { clusterPart, markerOf } from '../../../src/reconcile/marker.ts'
import { namesakeConflict } from '../../../src/reconcile/namesakes.ts'
import { beginPass, type AnyKind } from '../../../src/reconcile/pass.ts'
import type { Session } from '../../../src/reconcile/session.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { object, storesWith } from './objects.ts'

const DEAD = markerOf('cluster', 'gone')
const FOREIGN = markerOf('another', 'uid')
const network = object({ kind: 'CloudNetwork', name: 'back' })
const LIVING = markerOf('cluster', 'CloudNetwork-other')

interface Given {
  readonly rows: readonly Seen[]
  readonly new?: CloudResource
  readonly ignores?: boolean
  readonly gone?: readonly string[]
  readonly others?: readonly CloudResource[]
}

async function told({ rows, ignores = false, gone = [], others = [], ...given }: Given) {
  const made = given.new ?? network
  const kind = {
    kind: made.kind,
    noun: 'network',
    reads: {
      hasExact: () => true,
      exact: (_context: unknown, id: string) =>
        Promise.resolve(gone.includes(id) ? undefined : rows.find((row) => row.id === id)),
    },
  } as unknown as AnyKind
  const { live, references } = storesWith(made, ...others)
  const env = {
    clusterID: 'cluster',
    clock: createManualClock(),
    references,
    stores: live,
  } as unknown as Environment
  const pass = beginPass(env, kind, made)
  pass.session = {
    endpoint: 'http://a',
    userID: 7,
    account: 'team/default',
    syncMs: 9,
    ignoresNamesakes: ignores,
  } as Session
  pass.location = 'here'
  const performed = await namesakeConflict(pass, rows)
  const ended = performed?.is === 'ended' ? performed.ended : undefined
  return { ended, draft: pass.draft, message: ended?.verdict.is === 'stalled' ? ended.verdict.message : '' }
}

const named = (marker: string, id = 'x', name = 'back'): Seen => ({ id, label: `${name}-${marker}` })

test('one whose owner is not in this cluster any more: a conflict with both answers', async () => {
  const { ended, draft, message } = await told({ rows: [named(DEAD)] })
  expect(ended).toMatchObject({ verdict: { is: 'stalled', reason: 'AdoptionConflict' }, afterMs: 9 })
  expect(message).toContain('spec.adopt.id: x and spec.adopt.takeover: true')
  expect(message).toContain('cloud-operator.dev/resolve=x=none')
  expect(message).not.toContain('namesakesOfOtherClusters')
  // So that the finalizer that was put on does not look like that of a lost status.
  expect(draft.account).toMatchObject({ userID: 7 })
})

test('one of another cluster: a conflict, unless the account ignores them', async () => {
  expect((await told({ rows: [named(FOREIGN)] })).message).toContain('spec.namesakesOfOtherClusters: Ignore')
  expect((await told({ rows: [named(FOREIGN)], ignores: true })).ended).toBeUndefined()
  expect((await told({ rows: [named(DEAD)], ignores: true })).ended).toBeDefined()
})

test('no conflict: another name, no marker, a living owner, an owner by id, one that is gone', async () => {
  const other = object({ kind: 'CloudNetwork', name: 'other' })
  const owner = object({ kind: 'CloudNetwork', name: 'owner', status: { id: 'x' } })
  const rows = [named(DEAD, 'x', 'front'), { id: 'y', label: 'back' }, { id: 'z' }]
  expect((await told({ rows })).ended).toBeUndefined()
  expect((await told({ rows: [named(LIVING)], others: [other] })).ended).toBeUndefined()
  expect((await told({ rows: [named(DEAD)], others: [owner] })).ended).toBeUndefined()
  expect((await told({ rows: [named(DEAD)], gone: ['x'] })).ended).toBeUndefined()
})

test('a machine: its name is one text, its marker another', async () => {
  const vm = object({ kind: 'CloudVM', name: 'web' })
  const row = { id: 'x', name: 'web', label: `made here k8s-${DEAD}` }
  expect((await told({ rows: [row], new: vm })).ended).toBeDefined()
  expect((await told({ rows: [{ ...row, name: 'db' }], new: vm })).ended).toBeUndefined()
})

test('the answer that it is another one is kept', async () => {
  const metadata = { ...network.metadata, annotations: { 'cloud-operator.dev/resolve': 'x=none' } }
  const answered = await told({ rows: [named(DEAD)], new: { ...network, metadata } })
  expect(answered.ended).toBeUndefined()
  expect(answered.draft.answered).toEqual(['x=none'])
  const later = { ...network, status: { answered: ['x=none'] } }
  expect((await told({ rows: [named(DEAD)], new: later })).ended).toBeUndefined()
  expect((await told({ rows: [named(DEAD, 'y')], new: later })).ended).toBeDefined()
})

test('markers of this cluster begin alike, and differently from those of another', () => {
  expect(DEAD.startsWith(clusterPart('cluster'))).toBe(true)
  expect(FOREIGN.startsWith(clusterPart('cluster'))).toBe(false)
})
