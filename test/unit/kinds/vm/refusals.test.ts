/** What the service's refusals mean for a machine. */
import { describe, expect, test } from 'vitest'
import { refusedVm, refusedVmField, refusedVmWait } from '../../../../src/kinds/vm/refusals.ts'
import type { NewClone, VmStep } from '../../../../src/kinds/vm/steps.ts'
import { create, remembered, resize, stop } from './machine.ts'

describe('what is remembered of a refusal', () => {
  test('a refused size with the words of the service', () => {
    const target = { vcpus: 4, memoryMiB: 2048 }
    expect(refusedVm(resize, 'Quota exceeded', remembered({ resize: { target, wasRunning: true } }))).toEqual(
      {
        resize: { target, wasRunning: true, refused: 'Quota exceeded' },
      },
    )
    expect(refusedVm(resize, 'no', remembered())).toEqual({
      resize: { target, wasRunning: false, refused: 'no' },
    })
  })

  test('no change of size after its stop was refused', () => {
    expect(refusedVm(stop('size'), 'locked', remembered())).toEqual({ resize: undefined })
  })

  test('nothing of another refusal', () => {
    expect(refusedVm({ do: 'rename', name: 'x' }, 'no', remembered())).toBeUndefined()
  })
})

const clone: NewClone = { cloneOf: 'vm', original: 'web', name: 'copy-x', withAddress: false }
const making = (vm: Extract<VmStep, { do: 'create' }>['vm']): VmStep => ({ do: 'create', vm })
const fromSnapshot = making({ ...create, from: { replicaID: 'r', vmID: 'vm' } })

describe('what a refused create waits for', () => {
  test('a clone: that its original is as the service wants it, which is left to its owner', () => {
    const wait = refusedVmWait(making(clone), 'The virtual machine must be stopped to be cloned')
    expect(wait).toMatchObject({ reason: 'WaitingForDependency' })
    expect(wait?.message).toMatch(/^spec\.source\.vmRef: .*CloudVM web.*never stopped or started for a clone/)
  })

  test('a clone or a snapshot of a machine that is gone', () => {
    const text = 'No such virtual machine exists: vm'
    expect(refusedVmWait(making(clone), text)?.message).toMatch(/^spec\.source\.vmRef: /)
    expect(refusedVmWait(fromSnapshot, text)?.message).toMatch(/^spec\.source\.snapshotRef: /)
  })

  test('nothing else', () => {
    expect(refusedVmWait(making(clone), 'Quota exceeded')).toBeUndefined()
    expect(refusedVmWait(making(create), 'The virtual machine must be stopped')).toBeUndefined()
    expect(refusedVmWait(resize, 'The virtual machine must be stopped')).toBeUndefined()
  })
})

describe('which field a refused create is about', () => {
  test.each([
    [making(create), 'Unknown image ubuntu_1', 'os_version', 'spec.image'],
    [
      making(create),
      'os_version: Unknown image ubuntu_1, must be one of: debian_12',
      undefined,
      'spec.image',
    ],
    [making(create), 'No such image', undefined, 'spec.image'],
    [making(create), 'Only runcmd and write_files are supported', 'cloud_init', 'spec.cloudInit'],
    [fromSnapshot, 'No such replica', 'source_replica', 'spec.source.snapshotRef'],
    [making(create), 'Quota exceeded', undefined, undefined],
    [fromSnapshot, 'No such image', undefined, undefined],
    [making(clone), 'name: too long', undefined, undefined],
    [resize, 'ram: too much', 'ram', undefined],
  ] as const)('%j: %s', (step, text, parameter, field) => {
    expect(refusedVmField(step, text, parameter)).toBe(field)
  })
})
