import { expect, test } from 'vitest'
import {
  planSnapshot,
  planSnapshotGone,
  snapshotFacts,
  type SnapshotStep,
  type WantedSnapshot,
} from '../../../../src/kinds/snapshot/plan.ts'
import type { SeenSnapshot } from '../../../../src/kinds/snapshot/seen.ts'

const want: WantedSnapshot = { vm: { name: 'db', id: 'vm-1' }, diskID: 'disk-1', create: true }
const seen: SeenSnapshot = { id: 'disk-12026-01-01-00-00-00', vmID: 'vm-1', type: 'snapshot', sizeGiB: 20 }
const create: SnapshotStep = { do: 'create', vmID: 'vm-1', vmName: 'db', diskID: 'disk-1' }

const live: readonly {
  says: string
  want?: Partial<WantedSnapshot>
  seen?: Partial<SeenSnapshot>
  steps?: readonly SnapshotStep[]
  block?: string
}[] = [
  { says: 'one that is not there is taken', steps: [create] },
  {
    says: 'the disk it will be a copy of may be unknown',
    want: { diskID: undefined },
    steps: [{ ...create, diskID: undefined }],
  },
  { says: 'one to be taken over is never taken', want: { create: false }, block: 'NotFoundToAdopt' },
  { says: 'one that is there needs nothing', seen: {} },
  { says: 'a backup needs nothing either', want: { create: false }, seen: { type: 'backup' } },
  { says: 'nor one of another size or disk', seen: { sizeGiB: 5, diskID: 'another' } },
]

test.each(live)('$says', ({ want: change, seen: shown, steps = [], block }) => {
  const plan = planSnapshot({ ...want, ...change }, shown && { ...seen, ...shown })
  expect({ steps: plan.steps, block: plan.block?.reason }).toEqual({ steps, block })
  expect(plan.wait ?? plan.pending).toBeUndefined()
})

test('it is deleted by one call', () => {
  expect(planSnapshotGone()).toEqual({ steps: [{ do: 'delete' }] })
})

test('either call is made while nothing else changes its machine, and neither is repeated blindly', () => {
  expect(snapshotFacts(create, undefined)).toMatchObject({
    nature: 'create',
    locks: ['vm-1'],
    details: { vm: 'vm-1', disk: 'disk-1' },
  })
  expect(snapshotFacts({ ...create, diskID: undefined }, undefined).details).toEqual({ vm: 'vm-1' })
  expect(snapshotFacts({ do: 'delete' }, seen)).toMatchObject({ nature: 'destroy', locks: ['vm-1'] })
})
