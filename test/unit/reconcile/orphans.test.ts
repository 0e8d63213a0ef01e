import { expect, test } from 'vitest'
import { DEFAULT_DURATIONS } from '../../../src/reconcile/durations.ts'
import type { Seen } from '../../../src/reconcile/kind.ts'
import { markedName, markerOf } from '../../../src/reconcile/marker.ts'
import { findOrphans } from '../../../src/reconcile/orphans.ts'
import type { AnyKind, Pass } from '../../../src/reconcile/pass.ts'
import { object, storesWith } from './objects.ts'

const CLUSTER = 'cluster'
const named = (id: string, uid: string, cluster = CLUSTER): Seen => ({
  id,
  label: markedName('net', markerOf(cluster, uid)),
})
const network = (name: string, id?: string) =>
  object({
    kind: 'CloudNetwork',
    name,
    status: { ...(id !== undefined && { id }), location: 'jkt01' },
  })

/** How many of these rows belong to nobody, beside two networks of ours: one known by its id, one whose status was lost. */
async function count(rows: readonly Seen[], identity: 'marker' | 'baseline' = 'marker'): Promise<number> {
  const { live, references } = storesWith(network('front', 'n-1'), network('back'))
  const kind = {
    kind: 'CloudNetwork',
    creation: { identity: () => identity },
    reads: { rows: () => Promise.resolve(rows) },
  } as unknown as AnyKind
  const session = { endpoint: 'https://a', account: 'team/default', defaultLocation: 'jkt01' }
  const pass = {
    env: { stores: live, references, clusterID: CLUSTER, durations: DEFAULT_DURATIONS },
    session,
  } as unknown as Pass
  return (await findOrphans(pass, [kind], [])).length
}

test('what carries a marker of ours and belongs to no object is counted once', async () => {
  expect(await count([named('n-7', 'gone'), named('n-7', 'gone'), named('n-8', 'gone too')])).toBe(2)
})

test('what belongs to an object is not, by its id or by its marker', async () => {
  expect(await count([named('n-1', 'another uid'), named('n-2', 'CloudNetwork-back')])).toBe(0)
})

test('a second one of an object that has its own is counted', async () => {
  expect(await count([named('n-1', 'CloudNetwork-front'), named('n-3', 'CloudNetwork-front')])).toBe(1)
})

test('nor what has no marker, or the one of another cluster', async () => {
  expect(await count([{ id: 'n-9', label: 'net' }, { id: 'n-10' }, named('n-11', 'gone', 'elsewhere')])).toBe(
    0,
  )
})

test('where the service shows no names nothing can be told', async () => {
  expect(await count([named('n-7', 'gone')], 'baseline')).toBe(0)
})
