/** Reads and steps of a disk against the simulated service, on both profiles. */
import { afterEach, describe, expect, test } from 'vitest'
import type { DiskStatus } from '../../../../src/api/disk.ts'
import type { Operation } from '../../../../src/api/shared.ts'
import { createVm } from '../../../../src/cloud/vms.ts'
import { actDisk } from '../../../../src/kinds/disk/act.ts'
import { diskKind } from '../../../../src/kinds/disk/kind.ts'
import { diskReads, type SeenDisk } from '../../../../src/kinds/disk/seen.ts'
import { diskEffect, diskFacts, type DiskStep, type NewDiskWish } from '../../../../src/kinds/disk/steps.ts'
import { markedName } from '../../../../src/reconcile/marker.ts'
import { needed } from '../../../../src/reconcile/needed.ts'
import type { SimulatorOptions } from '../../../../src/simulator/server.ts'
import { simulatedAccount, type SimulatedAccount } from '../../../support/session.ts'

const open: SimulatedAccount[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()))
})

async function account(options: SimulatorOptions = {}): Promise<SimulatedAccount> {
  const made = await simulatedAccount(options)
  open.push(made)
  return made
}

function act(at: SimulatedAccount, step: DiskStep, seen?: SeenDisk): Promise<SeenDisk> {
  return actDisk(at.calling(), step, seen)
}

async function create(at: SimulatedAccount, more: Partial<NewDiskWish> = {}): Promise<SeenDisk> {
  const disk = {
    name: markedName('data', at.marker),
    sizeGiB: 50,
    billingAccount: at.session.billingAccount,
    ...more,
  }
  return act(at, { do: 'create', disk })
}

async function exact(at: SimulatedAccount, id: string, status?: DiskStatus): Promise<SeenDisk> {
  return needed(await diskReads.exact(at.reading(status), id))
}

function operationOf(step: DiskStep): Operation {
  return {
    id: 'op',
    verb: step.do,
    issuedAt: '2026-01-01T00:00:00Z',
    details: { ...diskFacts(step).details },
  }
}

/** Carries out a step and reads until its effect, which the service shows at once here. */
async function done(at: SimulatedAccount, step: DiskStep, seen: SeenDisk): Promise<SeenDisk> {
  await act(at, step, seen)
  const operation = operationOf(step)
  const after = await exact(at, seen.id, { operation })
  expect(diskEffect(operation, after)).toBe(true)
  return after
}

let machines = 0
async function machine(at: SimulatedAccount): Promise<string> {
  const { session, location } = at
  const scope = await session.networkScope(location)
  const networks = await session.inventory.list('network', scope, { maxAgeMs: 0 })
  const vm = {
    name: `vm-${String(++machines)}`,
    networkUUID: needed(networks.rows[0]).uuid,
    reservePublicIP: false,
    vcpus: 1,
    memoryMiB: 1024,
    osName: 'ubuntu',
    osVersion: '24.04',
    bootDiskGiB: 20,
    billingAccount: session.billingAccount,
  }
  return (await createVm(session.client, location, vm, at.calling().send)).uuid
}

describe.each(['extended', 'documented'] as const)('on the %s profile', (profile) => {
  test('an empty disk is created, attached to nothing', async () => {
    const at = await account({ profile })
    const { id } = await create(at)
    const seen = await exact(at, id)
    expect(seen).toMatchObject({
      status: 'Active',
      sizeGiB: 50,
      sourceType: 'EMPTY',
      billingAccount: at.session.billingAccount,
      snapshots: [],
      attachments: [],
    })
    expect(await diskReads.row(at.reading(), id)).toMatchObject({ id, attachments: [] })
  })

  test('a disk is made from an image and from another disk', async () => {
    const at = await account({ profile })
    const system = await create(at, { source: { type: 'OS_BASE', id: 'ubuntu_24.04' } })
    expect(await exact(at, system.id)).toMatchObject({ sourceType: 'OS_BASE', source: 'ubuntu_24.04' })
    const copy = await create(at, { source: { type: 'DISK', id: system.id } })
    expect(await exact(at, copy.id)).toMatchObject({ sourceType: 'DISK', source: system.id })
  })

  test('a disk is made from a snapshot of another one, and one that is not there is refused by its field', async () => {
    const at = await account({ profile })
    const { id } = await create(at)
    const [snapshot = ''] = at.service.control.mutate({ do: 'snapshotDisk', disk: id }).ids
    const [shown] = needed((await exact(at, id)).snapshots)
    expect(shown?.uuid).toBe(snapshot)
    const copy = await create(at, { source: { type: 'SNAPSHOT', id: snapshot } })
    expect(await exact(at, copy.id)).toMatchObject({ sourceType: 'SNAPSHOT', source: snapshot, sizeGiB: 50 })
    const refusal: unknown = await create(at, { source: { type: 'SNAPSHOT', id } }).catch(
      (error: unknown) => error,
    )
    expect(refusal).toMatchObject({ class: 'refused', text: expect.stringContaining(id) as string })
    expect(at.service.control.inventory().disks).toHaveLength(2)
  })

  test('a disk is attached, moved and detached, and grows where it is', async () => {
    const at = await account({ profile })
    const a = await machine(at)
    const b = await machine(at)
    let seen = await create(at)
    seen = await done(at, { do: 'attach', vmID: a }, seen)
    expect(seen.attachments).toEqual([{ vmID: a, primary: false }])
    seen = await done(at, { do: 'detach', vmID: a }, seen)
    expect(seen.attachments).toEqual([])
    seen = await done(at, { do: 'attach', vmID: b }, seen)
    expect(await act(at, { do: 'grow', vmID: b, sizeGiB: 80 }, seen)).toMatchObject({ sizeGiB: 80 })
    expect(await exact(at, seen.id)).toMatchObject({
      sizeGiB: 80,
      attachments: [{ vmID: b, primary: false }],
    })
    expect(await diskReads.row(at.reading(), seen.id)).toMatchObject({ attachments: [{ vmID: b }] })
    await done(at, { do: 'detach', vmID: b }, seen)
    expect(at.service.control.counters().preconditionsViolated).toBe(0)
  })

  test('a disk that a machine shows late is found by an exact read of it', async () => {
    const at = await account({ profile })
    const a = await machine(at)
    const { id } = await create(at)
    await exact(at, id)
    at.service.control.mutate({ do: 'attachDisk', vm: a, disk: id })
    // The shared list is still the one from before.
    expect(await exact(at, id)).toMatchObject({ attachments: [] })
    expect(await exact(at, id, { attachedTo: { id: a } })).toMatchObject({ attachments: [{ vmID: a }] })
  })

  test('a machine that is gone has no disk', async () => {
    const at = await account({ profile })
    const { id } = await create(at)
    expect(await exact(at, id, { attachedTo: { id: '00000000-0000-4000-8000-000000000000' } })).toMatchObject(
      {
        attachments: [],
      },
    )
  })

  test('a boot disk is known as one', async () => {
    const at = await account({ profile })
    const a = await machine(at)
    const rows = await diskReads.rows(at.reading())
    expect(rows).toMatchObject([{ attachments: [{ vmID: a, primary: true }], showsLabel: false }])
  })

  test('machines that do not show their disks in the list are read exactly', async () => {
    const at = await account({ profile })
    const a = await machine(at)
    const b = await machine(at)
    const seen = await create(at)
    await done(at, { do: 'attach', vmID: b }, seen)
    at.session.memory.storage.clear()
    at.service.control.setRule('sparseVmRows', true)
    expect(await diskReads.row(at.reading(), seen.id)).not.toHaveProperty('attachments')
    const before = at.service.control.calls({}).length
    expect(await exact(at, seen.id)).toMatchObject({ attachments: [{ vmID: b }] })
    expect(at.session.memory.storage.has(a)).toBe(true)
    const first = at.service.control.calls({}).length
    expect(await diskReads.row(at.reading(), seen.id)).toMatchObject({ attachments: [{ vmID: b }] })
    expect(at.service.control.calls({}).length - first).toBeLessThan(first - before)
  })

  test('a disk is charged to another account and deleted', async () => {
    const at = await account({ profile })
    const seen = await create(at)
    const step = { do: 'setBillingAccount', billingAccount: at.session.billingAccount } as const
    expect(await act(at, step, seen)).toMatchObject({ billingAccount: at.session.billingAccount })
    await act(at, { do: 'delete' }, seen)
    expect(await diskReads.exact(at.reading(), seen.id)).toBeUndefined()
    expect(await diskReads.row(at.reading(), seen.id)).toBeUndefined()
  })
})

describe('whose a disk is', () => {
  test('shows its name, where the service shows names', async () => {
    const at = await account({ profile: 'extended' })
    expect(diskKind.creation.identity(at.session)).toBe('baseline')
    const { id } = await create(at)
    expect(diskKind.creation.identity(at.session)).toBe('marker')
    const label = markedName('data', at.marker)
    expect(await exact(at, id)).toMatchObject({ label, showsLabel: true })
    expect(await diskReads.rows(at.reading())).toMatchObject([{ label, showsLabel: true }])
    const other = markedName('other', at.marker)
    expect(await act(at, { do: 'rename', name: other }, await exact(at, id))).toMatchObject({ label: other })
  })

  test('is learned from the list after a restart', async () => {
    const at = await account({ profile: 'extended' })
    await create(at)
    delete at.session.capabilities.diskNames
    await diskReads.rows(at.reading())
    expect(diskKind.creation.identity(at.session)).toBe('marker')
  })

  test('does not show where the service shows no names, and no row is read exactly for one', async () => {
    const at = await account({ profile: 'documented' })
    const { id } = await create(at)
    expect(await exact(at, id)).toMatchObject({ showsLabel: false })
    expect(diskKind.creation.identity(at.session)).toBe('baseline')
    await create(at)
    expect((await diskReads.rows(at.reading())).map((row) => row.showsLabel)).toEqual([false, false])
  })
})
