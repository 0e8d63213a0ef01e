import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/api/shared.ts'
import type { Environment } from '../../../src/reconcile/environment.ts'
import type { CloudResource, Seen } from '../../../src/reconcile/kind.ts'
import { baselineOf, candidates, happened, look } from '../../../src/reconcile/look.ts'
import { markedName, markerOf } from '../../../src/reconcile/marker.ts'
import { beginPass, type AnyKind, type Pass } from '../../../src/reconcile/pass.ts'
import type { Session } from '../../../src/reconcile/session.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { object, storesWith } from './objects.ts'

const DAY = '2026-01-01'
const at = (time: string) => `${DAY} ${time}`
const row = (id: string, createdAt?: string, more: Partial<Seen> = {}): Seen => ({
  id,
  ...(createdAt !== undefined && { createdAt }),
  ...more,
})
const ids = (rows: readonly Seen[]) => rows.map(({ id }) => id)

const disk = object({ kind: 'CloudDisk', name: 'data' })
const MARKER = markerOf('cluster', disk.metadata.uid)
const OURS = markedName('data', MARKER)

interface Service {
  readonly rows: readonly Seen[]
  readonly exact?: Readonly<Record<string, Seen>>
  readonly identity?: 'marker' | 'name' | 'baseline'
  readonly others?: readonly CloudResource[]
}

/** A pass over a disk of a service with these rows; `asked` are the exact reads. */
function rig({ rows, exact = {}, identity = 'baseline', others = [] }: Service): {
  pass: Pass
  asked: string[]
} {
  const asked: string[] = []
  const kind = {
    kind: 'CloudDisk',
    noun: 'disk',
    reads: {
      hasExact: () => true,
      rows: () => Promise.resolve(rows),
      row: (_context: unknown, id: string) => Promise.resolve(rows.find((each) => each.id === id)),
      exact: (_context: unknown, id: string) => {
        asked.push(id)
        return Promise.resolve(exact[id])
      },
    },
    creation: {
      identity: () => identity,
      idFor: () => 'the-name',
      labelGoes: ({ spec }: { readonly spec: object }) => 'clone' in spec,
      candidate: (_want: unknown, each: Seen) => each.billingAccount !== 9,
    },
    effect: (_operation: Operation, seen: Seen) => seen.billingAccount === 2,
  } as unknown as AnyKind
  const { references } = storesWith(...others)
  const env = { clusterID: 'cluster', clock: createManualClock(), references } as unknown as Environment
  const pass = beginPass(env, kind, disk)
  pass.session = { endpoint: 'http://a', memory: { unlabelled: new Set() } } as unknown as Session
  pass.location = 'here'
  return { pass, asked }
}

function operation(rows: readonly Seen[], more: Partial<Operation> = {}): Operation {
  return { id: 'x', verb: 'create', issuedAt: '2026-01-01T12:00:00Z', ...baselineOf(rows), ...more }
}

describe('baseline', () => {
  test('the newest time, and the ids within ten minutes of it', () => {
    const rows = [row('old', at('11:00:00')), row('near', at('11:55:00')), row('newest', at('12:00:00'))]
    expect(baselineOf(rows)).toEqual({ baseline: ['near', 'newest'], baselineNewest: at('12:00:00') })
  })

  test('newest by the moment, not by the text', () => {
    const rows = [row('a', '2026-01-02T01:00:00+07:00'), row('b', '2026-01-01T18:59:00Z')]
    expect(baselineOf(rows).baselineNewest).toBe('2026-01-01T18:59:00Z')
  })

  test('rows without a time that can be read are always noted', () => {
    const rows = [
      row('none'),
      row('odd', 'yesterday'),
      row('old', at('01:00:00')),
      row('new', at('12:00:00')),
    ]
    expect(baselineOf(rows)).toEqual({ baseline: ['none', 'odd', 'new'], baselineNewest: at('12:00:00') })
  })

  test('nothing there', () => {
    expect(baselineOf([])).toEqual({ baseline: [] })
  })
})

describe('candidates', () => {
  const before = [row('old', at('11:00:00')), row('newest', at('12:00:00'))]
  const found = (rows: readonly Seen[], others: readonly CloudResource[] = []) => {
    const all = [...before, ...rows]
    return ids(candidates(rig({ rows: all, others }).pass, operation(before), all, {}))
  }

  test('what was not there before', () => {
    expect(found([row('new', at('12:00:05')), row('other', at('12:00:06'))])).toEqual(['new', 'other'])
    expect(found([])).toEqual([])
  })

  test('also with the time of a clock that is minutes behind: its id was not noted', () => {
    expect(found([row('new', at('11:55:00'))])).toEqual(['new'])
  })

  test('also without a time', () => {
    expect(found([row('new')])).toEqual(['new'])
  })

  test('not what the list had left out before, which is older', () => {
    expect(found([row('omitted', at('10:00:00'))])).toEqual([])
  })

  test('not what was sent otherwise', () => {
    expect(found([row('new', at('12:00:05'), { billingAccount: 9 })])).toEqual([])
  })

  test('not what another object has, unless at another service', () => {
    const owner = (endpoint: string) =>
      object({ kind: 'CloudDisk', name: 'other', status: { id: 'new', account: { endpoint, userID: 1 } } })
    expect(found([row('new', at('12:00:05'))], [owner('http://a')])).toEqual([])
    expect(found([row('new', at('12:00:05'))], [owner('http://b')])).toEqual(['new'])
  })

  test('where names are shown, only with our marker', () => {
    const labelled = (label: string) => row(label, at('12:00:05'), { label, showsLabel: true })
    expect(found([labelled('stranger'), labelled(OURS)])).toEqual([OURS])
  })
})

describe('look', () => {
  test('ours by the marker, oldest first', async () => {
    const rows = [
      row('b', at('12:00:02'), { label: OURS }),
      row('a', '2026-01-01T12:00:01Z', { label: OURS }),
      row('c', at('12:00:00'), { label: 'data' }),
    ]
    expect(ids((await look(rig({ rows }).pass)).ours)).toEqual(['a', 'b'])
  })

  test('rows without a label are read exactly; old ones that have none only once', async () => {
    const rows = [row('old'), row('young'), row('bare', undefined, { showsLabel: false })]
    const exact = { old: row('old', '2020-01-01 00:00:00'), young: row('young', '2025-12-31 23:59:00') }
    const { pass, asked } = rig({ rows, exact })
    await look(pass)
    expect(asked).toEqual(['old', 'young'])
    await look(pass)
    expect(asked).toEqual(['old', 'young', 'young'])
  })

  test('one whose exact read says nothing yet is asked again', async () => {
    const { pass, asked } = rig({ rows: [row('late')] })
    await look(pass)
    await look(pass)
    expect(asked).toEqual(['late', 'late'])
  })

  test('a copied label: the marker in the name counts alone, and what another object has by its id is its own', async () => {
    const other = markedName('data', markerOf('cluster', 'other'))
    const rows = [
      row('original', undefined, { name: 'data', label: OURS }),
      row('clone', undefined, { name: other, label: OURS }),
      row('renamed', undefined, { name: 'copy', label: OURS }),
      row('words', undefined, { name: 'app-configurations', label: OURS }),
    ]
    const took = { kind: 'CloudDisk', name: 'copy', spec: { adopt: { id: 'renamed' } } } as const
    const others = [object({ ...took, status: { id: 'renamed' } })]
    const { pass } = rig({ rows, others, identity: 'marker' })
    expect(ids((await look(pass)).ours)).toEqual(['original', 'words'])
  })

  test('a copied status owns nothing, an answered one does', async () => {
    const rows = [row('original', undefined, { name: 'data', label: OURS })]
    const found = async (uid: string) => {
      const copy = object({ kind: 'CloudDisk', name: 'copy', uid: 'copy', status: { id: 'original', uid } })
      const { pass } = rig({ rows, others: [copy], identity: 'marker' })
      return ids((await look(pass)).ours)
    }
    expect(await found('mine')).toEqual(['original'])
    expect(await found('copy')).toEqual([])
  })

  test('what another object owns is not asked', async () => {
    const account = { endpoint: 'http://a', userID: 1 }
    const others = [object({ kind: 'CloudDisk', name: 'other', status: { id: 'theirs', account } })]
    const { pass, asked } = rig({ rows: [row('theirs')], others })
    await look(pass)
    expect(asked).toEqual([])
  })
})

describe('whether what was answered with an error happened', () => {
  const happens = (service: Service, more: Partial<Operation>, id?: string) => {
    const { pass } = rig(service)
    if (id !== undefined) pass.draft = { ...pass.draft, id }
    return happened(pass, operation([], more), {})
  }

  test('a create: by marker, by candidate, by name', async () => {
    expect(await happens({ rows: [], identity: 'marker' }, {})).toBe(false)
    expect(await happens({ rows: [row('a', undefined, { label: OURS })], identity: 'marker' }, {})).toBe(true)
    expect(await happens({ rows: [row('a', undefined, { showsLabel: false })] }, {})).toBe(true)
    const named = { rows: [], identity: 'name' } as const
    expect(await happens(named, {})).toBe(false)
    expect(await happens({ ...named, exact: { 'the-name': row('the-name') } }, {})).toBe(true)
  })

  test('a delete: it is gone', async () => {
    expect(await happens({ rows: [], exact: { a: row('a') } }, { verb: 'delete' }, 'a')).toBe(false)
    expect(await happens({ rows: [] }, { verb: 'delete' }, 'a')).toBe(true)
  })

  test('anything else: its effect shows', async () => {
    const shows = (billingAccount: number) => ({
      rows: [],
      exact: { a: row('a', undefined, { billingAccount }) },
    })
    expect(await happens(shows(1), { verb: 'attach' }, 'a')).toBe(false)
    expect(await happens(shows(2), { verb: 'attach' }, 'a')).toBe(true)
    expect(await happens({ rows: [] }, { verb: 'attach' }, 'a')).toBe(false)
    expect(await happens({ rows: [] }, { verb: 'attach' })).toBe(false)
  })
})
