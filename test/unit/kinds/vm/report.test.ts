import { describe, expect, test } from 'vitest'
import type { VmStatus } from '../../../../src/api/vm.ts'
import { vmKind } from '../../../../src/kinds/vm/kind.ts'
import type { WantedVm } from '../../../../src/kinds/vm/plan.ts'
import type { SeenVm } from '../../../../src/kinds/vm/seen.ts'
import { boot, data, off, refused, remembered, stoppedForSize, there, wanted } from './machine.ts'

describe('the status of a virtual machine', () => {
  test('shows what the cloud has', () => {
    const seen: SeenVm = {
      ...there,
      os: 'ubuntu',
      osVersion: '24.04',
      privateIP: '10.0.0.2',
      publicIPs: ['192.0.2.1'],
      mac: '52:54:00:00:00:01',
      hostname: 'web',
      poolID: 'p',
      poolName: 'fast',
      storage: [{ uuid: 'z' }, data, boot],
    }
    expect(vmKind.report(seen, remembered(), wanted)).toEqual({
      powerState: 'Running',
      image: { os: 'ubuntu', version: '24.04' },
      bootDiskGiB: 20,
      privateIP: '10.0.0.2',
      publicIPs: ['192.0.2.1'],
      mac: '52:54:00:00:00:01',
      hostname: 'web',
      pool: 'fast',
      disks: [
        { id: 'boot', sizeGiB: 20, primary: true },
        { id: 'data', sizeGiB: 50, primary: false },
        { id: 'z' },
      ],
    })
  })

  test('keeps on record which disk the machine boots from while the service leaves that out', () => {
    const recorded = remembered({ disks: [{ id: 'boot', primary: true }] })
    const disks = (storage: NonNullable<SeenVm['storage']>) =>
      vmKind.report({ id: 'vm', storage }, recorded, wanted).disks
    expect(disks([{ uuid: 'a' }, { uuid: 'boot' }])).toEqual([{ id: 'boot', primary: true }, { id: 'a' }])
    // Another one is shown: the recorded one was before a rebuild.
    expect(disks([{ uuid: 'a', primary: true }, { uuid: 'boot' }])).toEqual([
      { id: 'a', primary: true },
      { id: 'boot' },
    ])
    expect(disks([{ uuid: 'a' }])).toEqual([{ id: 'a' }])
  })

  test('leaves out what is unknown, so that it stays as it was', () => {
    expect(vmKind.report({ id: 'vm' }, remembered(), wanted)).toEqual({})
  })

  test('shows the word of the service in a transition', () => {
    const seen: SeenVm = { id: 'vm', power: 'between', powerWord: 'migrating' }
    expect(vmKind.report(seen, remembered(), wanted)).toEqual({ powerState: 'migrating' })
  })

  test('records the Secret that was applied', () => {
    const passwordSet = { secretUID: 's', secretVersion: '2' }
    expect(vmKind.report({ id: 'vm', passwordSet }, remembered(), wanted)).toEqual({
      passwordApplied: passwordSet,
    })
  })
})

type Resize = VmStatus['resize'] | 'kept' | 'cleared'
const bigger: WantedVm = { ...wanted, vcpus: 4 }
const open = { operation: { id: 'op', verb: 'stop', issuedAt: '2026-01-01T00:00:00Z' } }
const calm = { resize: { ...refused.resize, wasRunning: false } }

const rows: readonly (readonly [string, Partial<VmStatus>, SeenVm, WantedVm | undefined, Resize])[] = [
  ['is kept while the machine is to be stopped', stoppedForSize, there, bigger, 'kept'],
  ['is kept while the machine is off for it', stoppedForSize, off, bigger, 'kept'],
  ['is kept until the machine runs again', stoppedForSize, { ...off, vcpus: 4 }, bigger, 'kept'],
  ['is over once the machine runs with its size', stoppedForSize, { ...there, vcpus: 4 }, bigger, 'cleared'],
  [
    'is over once the machine has its size and is to be off',
    stoppedForSize,
    { ...off, vcpus: 4 },
    { ...bigger, powerState: 'Stopped' },
    'cleared',
  ],
  ['is over once it was taken back', stoppedForSize, there, wanted, 'cleared'],
  ['is kept while its stop may still take effect', { ...stoppedForSize, ...open }, there, wanted, 'kept'],
  ['is kept while the size is not shown', stoppedForSize, { id: 'vm', power: 'running' }, bigger, 'kept'],
  ['is kept while the wish is not known', stoppedForSize, there, undefined, 'kept'],
  ['that was refused is kept until the machine runs again', refused, off, bigger, 'kept'],
  ['that was refused forgets, once it runs again, that it ran', refused, there, bigger, calm.resize],
  ['that was refused is kept as long as it is wished', calm, there, bigger, 'kept'],
  ['that was refused is forgotten once it is taken back', calm, there, wanted, 'cleared'],
  [
    'that was refused is forgotten once it is taken back, although the machine is off',
    calm,
    off,
    wanted,
    'cleared',
  ],
]

describe('a change of size in the status', () => {
  for (const [sentence, status, seen, want, expected] of rows) {
    test(sentence, () => {
      const patch = vmKind.report(seen, remembered(status), want)
      const outcome = 'resize' in patch ? (patch.resize ?? 'cleared') : 'kept'
      expect(outcome).toEqual(expected)
    })
  }
})

test('a size that was accepted twice without effect is not stopped for again', () => {
  const memory = { ...remembered(stoppedForSize), fought: 'resize' }
  const patch = vmKind.report({ ...off, memoryMiB: 2560 }, memory, { ...wanted, vcpus: 4, memoryMiB: 2500 })
  expect(patch.resize).toEqual({
    target: { vcpus: 4, memoryMiB: 2500 },
    wasRunning: true,
    refused: 'accepted, but the virtual machine has 2 CPUs and 2560 MiB',
  })
})

const usable: readonly (readonly [string, SeenVm, WantedVm | undefined, boolean, string])[] = [
  ['a running machine is available', there, wanted, true, 'Available'],
  ['a machine that is off by nobody’s wish is stopped', off, wanted, true, 'Stopped'],
  ['a machine that is off as wished is stopped', off, { ...wanted, powerState: 'Stopped' }, true, 'Stopped'],
  [
    'a machine that is off and is to run cannot be used',
    off,
    { ...wanted, powerState: 'Running' },
    false,
    'Stopped',
  ],
  ['a machine in a transition cannot be used', { ...there, power: 'between' }, wanted, false, 'Available'],
  ['a row without a state says nothing against it', { id: 'vm' }, wanted, true, 'Available'],
]

describe('whether it can be used', () => {
  for (const [sentence, seen, want, isUsable, reason] of usable) {
    test(sentence, () => {
      expect(vmKind.usability(seen, want)).toMatchObject({ usable: isUsable, reason })
    })
  }
})
