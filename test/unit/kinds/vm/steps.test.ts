import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../../src/api/shared.ts'
import type { SeenVm } from '../../../../src/kinds/vm/seen.ts'
import { rememberVm, vmEffect, vmFacts, type VmStep } from '../../../../src/kinds/vm/steps.ts'
import { boot, create, cut, data, off, resize, setPassword, start, stop, there } from './machine.ts'

function operation(verb: string, details?: Record<string, string>): Operation {
  return { id: 'op', verb, issuedAt: '2026-01-01T00:00:00Z', ...(details !== undefined && { details }) }
}

const effects: readonly (readonly [string, Operation, SeenVm, boolean])[] = [
  ['a stop shows once the machine is off', operation('stop'), off, true],
  ['a stop does not show while it runs', operation('stop'), there, false],
  ['a stop does not show in a transition', operation('forceStop'), { ...there, power: 'between' }, false],
  ['a toggle shows once backups are as asked', operation('toggleBackups', { to: 'false' }), there, true],
  ['a toggle does not show before', operation('toggleBackups', { to: 'true' }), there, false],
  [
    'a toggle does not show in a record without backups',
    operation('toggleBackups', { to: 'true' }),
    { id: 'vm' },
    false,
  ],
  ['a detach shows once the disk is not there', operation('detachDisk', { disk: 'data' }), there, true],
  [
    'a detach does not show while the disk is there',
    operation('detachDisk', { disk: 'data' }),
    { ...there, storage: [boot, data] },
    false,
  ],
  [
    'a detach does not show in a record without disks',
    operation('detachDisk', { disk: 'data' }),
    { id: 'vm' },
    false,
  ],
]

describe('the effect of an open operation', () => {
  for (const [sentence, open, seen, shows] of effects) {
    test(sentence, () => {
      expect(vmEffect(open, seen)).toBe(shows)
    })
  }
})

describe('the facts of a step', () => {
  const stepping: readonly VmStep[] = [
    { do: 'rename', name: 'shop' },
    { do: 'growBootDisk', diskID: 'boot', sizeGiB: 30 },
    { do: 'toggleBackups', to: true },
    setPassword,
    stop('size'),
    cut('power', 'Force'),
    resize,
    start,
    { do: 'detachDisk', diskID: 'data' },
    { do: 'delete' },
  ]
  for (const step of stepping) {
    test(`${step.do} holds the lock of its machine`, () => {
      expect(vmFacts(step, there).locks).toEqual(['vm'])
    })
  }

  test('only what can be repeated without harm goes without an intent', () => {
    const set = stepping.filter((step) => vmFacts(step, there).nature === 'set').map((step) => step.do)
    expect(set).toEqual(['rename', 'growBootDisk', 'setPassword', 'resize', 'start'])
  })

  test('a create is slow and notes the Secret of its password, never the password', () => {
    const facts = vmFacts(
      { do: 'create', vm: { ...create, password: { uid: 's', version: '2' } } },
      undefined,
    )
    expect(facts).toMatchObject({
      nature: 'create',
      slow: true,
      details: { passwordUID: 's', passwordVersion: '2' },
    })
  })

  test('a toggle notes from what to what', () => {
    expect(vmFacts({ do: 'toggleBackups', to: true }, there).details).toEqual({ from: 'false', to: 'true' })
  })

  test('a stop for a change of size is subject to approval', () => {
    expect(vmFacts(stop('size'), there)).toMatchObject({ stops: true })
    expect(vmFacts(stop('size'), there).wantedOff).toBeUndefined()
  })

  test('a stop that the spec asks for says so', () => {
    expect(vmFacts(stop('power'), there)).toMatchObject({ stops: true, wantedOff: true })
  })

  test('a stop for a deletion needs no approval of its own', () => {
    expect(vmFacts(stop('deletion'), there).stops).toBeUndefined()
  })

  test('the power cut after a graceful stop has its words, so that one approval is valid for both', () => {
    const words = vmFacts(stop('size', 'GracefulThenForce'), there).words
    expect(vmFacts(cut('size', 'GracefulThenForce'), there).words).toBe(words)
  })
})

describe('what is remembered', () => {
  test('that the machine ran, with the intent of the stop', () => {
    const resizing = { target: { vcpus: 4, memoryMiB: 2048 }, wasRunning: true }
    expect(rememberVm(stop('size'))).toEqual({ resize: resizing })
    expect(rememberVm(cut('size', 'Force'))).toEqual({ resize: resizing })
  })

  test('nothing with another stop', () => {
    expect(rememberVm(stop('power'))).toEqual({})
  })
})
