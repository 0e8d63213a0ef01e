import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../../src/api/shared.ts'
import { diskKind } from '../../../../src/kinds/disk/kind.ts'
import type { SeenDisk } from '../../../../src/kinds/disk/seen.ts'
import type { CloudResource } from '../../../../src/reconcile/kind.ts'
import { LOST } from '../../../../src/reconcile/look.ts'
import {
  diskEffect,
  diskFacts,
  diskRefusedField,
  diskRefusedWait,
  type DiskStep,
} from '../../../../src/kinds/disk/steps.ts'
import { a, attach, b, bootOfA, create, detach, free, grow, onA, somewhere, wanted } from './drive.ts'

function operation(verb: string, details: Record<string, string>): Operation {
  return { id: 'op', verb, issuedAt: '2026-01-01T00:00:00Z', details }
}

const effects: readonly (readonly [string, Operation, SeenDisk, boolean])[] = [
  ['an attach shows once the machine has the disk', operation('attach', { vm: 'a' }), onA, true],
  ['an attach does not show while another one has it', operation('attach', { vm: 'b' }), onA, false],
  ['an attach does not show while nothing is known', operation('attach', { vm: 'a' }), somewhere, false],
  ['a detach shows once the machine has it no more', operation('detach', { vm: 'a' }), free, true],
  ['a detach does not show while the machine has it', operation('detach', { vm: 'a' }), onA, false],
  ['a detach does not show while nothing is known', operation('detach', { vm: 'a' }), somewhere, false],
]

describe('the effect of an open operation', () => {
  for (const [sentence, open, seen, shows] of effects) {
    test(sentence, () => {
      expect(diskEffect(open, seen)).toBe(shows)
    })
  }
})

describe('the facts of a step', () => {
  test('a call that names a machine holds its lock', () => {
    for (const step of [attach('a'), detach('a'), grow('a')]) expect(diskFacts(step).locks).toEqual(['a'])
  })

  test('a move notes which machine, for finding out what became of it', () => {
    expect(diskFacts(attach('a'))).toMatchObject({ nature: 'move', details: { vm: 'a' } })
    expect(diskFacts(detach('b'))).toMatchObject({ nature: 'move', details: { vm: 'b' } })
  })

  test('growing, renaming and charging can be repeated without harm', () => {
    expect(diskFacts(grow('a')).nature).toBe('set')
    expect(diskFacts({ do: 'rename', name: 'x' }).nature).toBe('set')
    expect(diskFacts({ do: 'setBillingAccount', billingAccount: 7 }).nature).toBe('set')
  })

  test('a create notes what was sent', () => {
    const source = { type: 'OS_BASE', id: 'ubuntu_24.04' } as const
    expect(diskFacts({ do: 'create', disk: { ...create, source } }).details).toEqual({
      sizeGiB: '50',
      billingAccount: '1',
      sourceType: 'OS_BASE',
      source: 'ubuntu_24.04',
    })
  })
})

const sent = diskFacts({ do: 'create', disk: create }).details ?? {}
const candidates: readonly (readonly [string, SeenDisk, boolean])[] = [
  ['equal in everything', { ...free, billingAccount: 1, sourceType: 'EMPTY' }, true],
  ['equal in everything it shows', { id: 'x' }, true],
  ['of another size', { ...free, sizeGiB: 51 }, false],
  ['charged to another account', { ...free, billingAccount: 2 }, false],
  ['made from something', { ...free, sourceType: 'OS_BASE', source: 'ubuntu_24.04' }, false],
  ['that a machine boots from', bootOfA, false],
]

describe('a disk that an unanswered create may have made', () => {
  for (const [sentence, row, is] of candidates) {
    test(`${sentence}: ${is ? 'yes' : 'no'}`, () => {
      const edited = { ...wanted, create: { ...create, sizeGiB: 99 } }
      expect(diskKind.creation.candidate(edited, row, operation('create', { ...sent }))).toBe(is)
      expect(diskKind.creation.candidate({ ...wanted, create }, row)).toBe(is)
    })
  }
})

describe('a disk that a machine boots from by now', () => {
  const object = { metadata: { name: 'root', namespace: 'work' } } as unknown as CloudResource
  const lost = operation('create', { ...sent, [LOST]: 'true' })
  const may = (open: Operation, machine?: object): boolean =>
    diskKind.creation.candidate({ ...wanted, create }, bootOfA, open, {
      object,
      holderOf: (kind, id) =>
        kind === 'CloudVM' && id === 'a' ? (machine as CloudResource | undefined) : undefined,
    })
  const vm = (disk: string, namespace = 'work') => ({
    metadata: { name: 'web', namespace },
    spec: { source: { diskRef: { name: disk } } },
  })

  test('may be ours where that machine is told to boot from ours', () => {
    expect(may(lost, vm('root'))).toBe(true)
    expect(may(lost, vm('other'))).toBe(false)
    expect(may(lost, vm('root', 'elsewhere'))).toBe(false)
  })

  test('with the status lost may be ours where nobody knows the machine', () => {
    expect(may(lost)).toBe(true)
    expect(may(operation('create', { ...sent }))).toBe(false)
  })
})

describe('a refusal that time changes', () => {
  test('a disk its machine has not let go of is waited for', () => {
    expect(diskRefusedWait(attach('b'), 'Disk is already attached')?.reason).toBe('WaitingForCloud')
    expect(diskRefusedWait({ do: 'delete' }, 'disk in use')?.reason).toBe('WaitingForCloud')
  })

  test('any other refusal stands', () => {
    expect(diskRefusedWait(attach('b'), 'no such machine')).toBeUndefined()
    expect(diskRefusedWait(grow('a'), 'disk is locked by quota')).toBeUndefined()
  })
})

describe('the status of a disk', () => {
  const memory = { status: undefined, appliedBefore: false }
  const id = '0b5b6cb1-1c4b-4b35-9d6a-5c2f0f4f8a11'

  test('names the machine and the device', () => {
    expect(diskKind.report({ ...onA, id }, memory, { ...wanted, vm: a })).toEqual({
      sizeGiB: 50,
      snapshots: [],
      attachedTo: { id: 'a', name: 'vm-a' },
      device: '/dev/disk/by-id/virtio-0b5b6cb1-1c4b-4b35-9',
    })
  })

  test('says nothing of a name it does not know', () => {
    expect(diskKind.report(onA, memory, { ...wanted, vm: b })).toMatchObject({ attachedTo: { id: 'a' } })
  })

  test('keeps the name of the machine it is still at', () => {
    const before = { status: { attachedTo: { id: 'a', name: 'vm-a' } }, appliedBefore: false }
    expect(diskKind.report(onA, before, { ...wanted, vm: b })).toMatchObject({
      attachedTo: { id: 'a', name: 'vm-a' },
    })
  })

  test('clears the machine of a free disk', () => {
    expect(diskKind.report(free, memory, wanted)).toEqual({
      sizeGiB: 50,
      snapshots: [],
      attachedTo: undefined,
      device: undefined,
    })
  })

  test('leaves the machine as it was where nothing is known', () => {
    expect(diskKind.report(somewhere, memory, wanted)).toEqual({ sizeGiB: 50, snapshots: [] })
  })

  test('lists snapshots in one order', () => {
    const snapshots = [{ uuid: 's2' }, { uuid: 's1', sizeGiB: 50, createdAt: '2026-01-01T00:00:00.000+0000' }]
    expect(diskKind.report({ id: 'disk', snapshots }, memory, wanted).snapshots).toEqual([
      { id: 's1', sizeGiB: 50, createdAt: '2026-01-01T00:00:00.000+0000' },
      { id: 's2' },
    ])
  })

  test('cannot be used in a transition, nor away from its machine', () => {
    expect(diskKind.usability({ ...free, status: 'Creating' }, wanted).usable).toBe(false)
    expect(diskKind.usability(free, { ...wanted, vm: a }).usable).toBe(false)
    expect(diskKind.usability(onA, { ...wanted, vm: a }).usable).toBe(true)
    expect(diskKind.usability(free, wanted).usable).toBe(true)
  })
})

const fromSnapshot: DiskStep = {
  do: 'create',
  disk: { name: 'data', sizeGiB: 5, billingAccount: 1, source: { type: 'SNAPSHOT', id: 's-1' } },
}

test.each<[string, string | undefined, string | undefined]>([
  ['source_image: No such snapshot: s-1', undefined, 'spec.source.snapshotID'],
  ['No such snapshot: s-1', 'source_image', 'spec.source.snapshotID'],
  ['size_gb: too small', undefined, 'spec.sizeGiB'],
  ['unknown', 'billing_account_id', 'spec.billingAccount'],
  ['no', undefined, undefined],
])('a create refused with "%s" (%s) is about %s', (text, parameter, field) => {
  expect(diskRefusedField(fromSnapshot, text, parameter)).toBe(field)
  expect(diskRefusedField({ do: 'delete' }, text, parameter)).toBeUndefined()
})
