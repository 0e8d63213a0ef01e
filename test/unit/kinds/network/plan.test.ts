import { expect, test } from 'vitest'
import {
  networkFacts,
  planNetwork,
  planNetworkGone,
  type NetworkStep,
  type WantedNetwork,
} from '../../../../src/kinds/network/plan.ts'
import type { SeenNetwork } from '../../../../src/kinds/network/seen.ts'
import type { Plan } from '../../../../src/reconcile/plan.ts'

const want: WantedNetwork = { name: 'back-mark', makeDefault: false, olderDefault: undefined }
const seen: SeenNetwork = { id: 'net', label: 'back-mark', isDefault: false, vmIDs: [], resources: 0 }

/** What a plan says besides its messages. */
function gist({ steps, wait, block, pending }: Plan<NetworkStep>) {
  return { steps, wait: wait?.reason, block: block?.reason, pending: pending?.reason }
}

interface Row {
  readonly says: string
  readonly want?: Partial<WantedNetwork>
  readonly seen?: Partial<SeenNetwork> | 'nothing'
  readonly steps?: readonly NetworkStep[]
  readonly wait?: string
  readonly block?: string
}

const live: readonly Row[] = [
  {
    says: 'a new network is created by its marked name',
    seen: 'nothing',
    steps: [{ do: 'create', name: 'back-mark' }],
  },
  {
    says: 'without a name nothing is created: the service would answer with the shared default network',
    want: { name: undefined },
    seen: 'nothing',
    block: 'InvalidSpec',
  },
  { says: 'a network that is as wished needs nothing' },
  {
    says: 'a name changed outside is put back',
    seen: { label: 'x' },
    steps: [{ do: 'rename', name: 'back-mark' }],
  },
  { says: 'a row that leaves the name out is not different', seen: { label: undefined as never } },
  {
    says: 'an adopted network keeps its name when the spec gives none',
    want: { name: undefined },
    seen: { label: 'x' },
  },
  {
    says: 'a network that is to be the default is made it',
    want: { makeDefault: true },
    steps: [{ do: 'makeDefault' }],
  },
  {
    says: 'the default network is not made it again',
    want: { makeDefault: true },
    seen: { isDefault: true },
  },
  {
    says: 'a row that does not say which is the default is not different',
    want: { makeDefault: true },
    seen: { isDefault: undefined as never },
  },
  {
    says: 'a default that the spec does not ask for is left: exactly one network is the default',
    seen: { isDefault: true },
  },
  {
    says: 'two that want to be the default are no tug-of-war: the older one wins, the other is told',
    want: { makeDefault: true, olderDefault: 'older' },
    block: 'DefaultConflict',
  },
  {
    says: 'beside that conflict the name is still put right',
    want: { makeDefault: true, olderDefault: 'older' },
    seen: { label: 'x' },
    steps: [{ do: 'rename', name: 'back-mark' }],
    block: 'DefaultConflict',
  },
  {
    says: 'the name comes before the default',
    want: { makeDefault: true },
    seen: { label: 'x' },
    steps: [{ do: 'rename', name: 'back-mark' }, { do: 'makeDefault' }],
  },
]

test.each(live)('$says', (row) => {
  const shown = row.seen === 'nothing' ? undefined : { ...seen, ...row.seen }
  const { steps = [], wait, block } = row
  const plan = planNetwork({ ...want, ...row.want }, shown)
  expect(gist(plan)).toEqual({ steps, wait, block, pending: undefined })
})

const gone: readonly {
  says: string
  seen: Partial<SeenNetwork>
  steps?: readonly NetworkStep[]
  wait?: string
}[] = [
  { says: 'an empty network that is not the default is deleted', seen: {}, steps: [{ do: 'delete' }] },
  { says: 'the default network cannot be deleted', seen: { isDefault: true }, wait: 'DefaultConflict' },
  { says: 'a network with machines cannot be deleted', seen: { vmIDs: ['vm-a'] }, wait: 'NotEmpty' },
  {
    says: 'a network that holds other resources cannot be deleted',
    seen: { resources: 1 },
    wait: 'NotEmpty',
  },
  {
    says: 'members that are not shown leave the refusal to the service',
    seen: { vmIDs: undefined as never, resources: undefined as never },
    steps: [{ do: 'delete' }],
  },
]

test.each(gone)('$says', ({ seen: shown, steps = [], wait }) => {
  const plan = planNetworkGone({ ...seen, ...shown })
  expect(gist(plan)).toEqual({ steps, wait, block: undefined, pending: undefined })
})

test('up to five machines that hold a deletion are named', () => {
  const vmIDs = ['a', 'b', 'c', 'd', 'e', 'f']
  const messageOf = (some: readonly string[]) => planNetworkGone({ ...seen, vmIDs: some }).wait?.message
  expect(messageOf(vmIDs)).toContain('a, b, c, d, e and others')
  expect(messageOf(vmIDs.slice(0, 5))).toContain('a, b, c, d, e; ')
})

test('only the two ends have an intent: a name and the default may be set again', () => {
  expect(networkFacts({ do: 'create', name: 'a' }).nature).toBe('create')
  expect(networkFacts({ do: 'rename', name: 'a' }).nature).toBe('set')
  expect(networkFacts({ do: 'makeDefault' }).nature).toBe('set')
  expect(networkFacts({ do: 'delete' }).nature).toBe('destroy')
})
