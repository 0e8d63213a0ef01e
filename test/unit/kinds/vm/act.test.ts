/** Every step of a virtual machine, carried out against the simulated service, on both profiles. */
import { describe, expect, test } from 'vitest'
import type { VmStatus } from '../../../../src/api/vm.ts'
import { actVm } from '../../../../src/kinds/vm/act.ts'
import { confirmVm, leftoversOf, namelessAddresses } from '../../../../src/kinds/vm/companions.ts'
import { vmReads, type SeenVm } from '../../../../src/kinds/vm/seen.ts'
import { vmEffect, vmFacts, type VmStep } from '../../../../src/kinds/vm/steps.ts'
import { createDisk } from '../../../../src/cloud/disks.ts'
import { listFloatingIps } from '../../../../src/cloud/floatingips.ts'
import { attachDisk } from '../../../../src/cloud/vm-storage.ts'
import { needed } from '../../../../src/reconcile/needed.ts'
import { StepRefused, StepWaits } from '../../../../src/reconcile/refused.ts'
import type { SimulatedAccount } from '../../../support/session.ts'
import { account, act, create, exact, objectOf, operationOf, wishOf } from './serviced.ts'

/** Carries out a step and reads until its effect, which the service shows at once here. */
async function done(at: SimulatedAccount, step: VmStep, seen: SeenVm): Promise<SeenVm> {
  await act(at, step, seen)
  const after = await exact(at, seen.id)
  const { details } = vmFacts(step, seen)
  expect(vmEffect(operationOf(step.do, details), after)).toBe(true)
  return after
}

describe.each(['extended', 'documented'] as const)('on the %s profile', (profile) => {
  test('a machine is created in the default network, without an address, with its marker', async () => {
    const at = await account({ profile })
    const seen = await create(at)
    expect(seen).toMatchObject({
      name: 'web',
      label: `front end k8s-${at.marker}`,
      power: 'running',
      vcpus: 1,
      memoryMiB: 1024,
      publicIPs: [],
      backups: false,
      billingAccount: at.session.billingAccount,
    })
    expect(seen.storage).toMatchObject([{ sizeGiB: 20, primary: true }])
    const rows = await vmReads.rows(at.reading())
    expect(rows.map((row) => row.label)).toEqual([`front end k8s-${at.marker}`])
    expect(await vmReads.row(at.reading(), seen.id)).toMatchObject({ id: seen.id, publicIPs: [] })
  })

  test('a change of size goes by stop, change and start', async () => {
    const at = await account({ profile })
    let seen = await create(at)
    const target = { vcpus: 2, memoryMiB: 1024 }
    seen = await done(at, { do: 'stop', because: 'size', mode: 'Graceful', target }, seen)
    seen = await act(at, { do: 'resize', vcpus: 2, target }, seen)
    expect(seen).toMatchObject({ vcpus: 2, memoryMiB: 1024, power: 'stopped' })
    expect(await act(at, { do: 'start' }, seen)).toMatchObject({ power: 'between' })
    expect(await exact(at, seen.id)).toMatchObject({ vcpus: 2, power: 'running' })
    expect(at.service.control.counters().preconditionsViolated).toBe(0)
  })

  test('name, boot disk, backups and password change while it runs', async () => {
    const at = await account({ profile })
    let seen = await create(at)
    expect(await act(at, { do: 'rename', name: 'shop' }, seen)).toMatchObject({ name: 'shop' })
    const diskID = needed(seen.storage?.[0]).uuid
    const grown = await act(at, { do: 'growBootDisk', diskID, sizeGiB: 30 }, seen)
    expect(grown.storage).toMatchObject([{ uuid: diskID, sizeGiB: 30, primary: true }])
    seen = await done(at, { do: 'toggleBackups', to: true }, seen)
    const step = { do: 'setPassword', username: 'admin', secretUID: 's', secretVersion: '2' } as const
    expect(await act(at, step, seen)).toMatchObject({ passwordSet: { secretUID: 's', secretVersion: '2' } })
    const after = { ...step, operations: ['uid'] }
    expect((await act(at, after, seen)).passwordSet).toEqual({
      secretUID: 's',
      secretVersion: '2',
      operations: ['uid'],
    })
    expect(await exact(at, seen.id)).toMatchObject({
      name: 'shop',
      backups: true,
      storage: [{ sizeGiB: 30 }],
    })
    expect(at.service.control.counters().preconditionsViolated).toBe(0)
  })

  test('a guest that ignores its power button is stopped by force', async () => {
    const at = await account({ profile })
    at.service.control.setRule('acpiIgnored', true)
    const seen = await create(at)
    await act(at, { do: 'stop', because: 'power', mode: 'GracefulThenForce' }, seen)
    expect(await exact(at, seen.id)).toMatchObject({ power: 'running' })
    await done(at, { do: 'forceStop', because: 'power', mode: 'GracefulThenForce' }, seen)
  })

  test('a data disk outlives the machine it was detached from', async () => {
    const at = await account({ profile })
    const { session, location } = at
    let seen = await create(at)
    const disk = await createDisk(
      session.client,
      location,
      { sizeGiB: 10, billingAccount: session.billingAccount },
      at.calling().send,
    )
    await attachDisk(session.client, location, seen.id, disk.uuid, at.calling().send)
    seen = await exact(at, seen.id)
    expect(seen.storage).toHaveLength(2)
    seen = await done(at, { do: 'stop', because: 'deletion', mode: 'Graceful' }, seen)
    seen = await done(at, { do: 'detachDisk', diskID: disk.uuid }, seen)
    await act(at, { do: 'delete' }, seen)
    expect(await vmReads.exact(at.reading(), seen.id)).toBeUndefined()
    expect(await vmReads.row(at.reading(), seen.id)).toBeUndefined()
    const { lostDataTokens } = at.service.control.counters()
    expect(lostDataTokens.some((token) => token.startsWith(`disk/${disk.uuid}/`))).toBe(false)
  })

  test('the reserved address is found and released after the machine', async () => {
    const at = await account({ profile })
    const { session, location } = at
    const before = await namelessAddresses(at.reading())
    const seen = await create(at, { reservePublicIP: true })
    const operation = { ...operationOf('create'), companions: [...before] }
    const { patch, wait } = await confirmVm(at.reading(), operation, seen, objectOf({ publicIP: 'Reserve' }))
    expect(wait).toBeUndefined()
    const [address] = await listFloatingIps(session.client, location)
    expect(patch.reservedIP).toEqual({ id: String(address?.id), address: address?.address })
    expect(await exact(at, seen.id, { operation })).toMatchObject({ publicIPs: [address?.address] })

    const status: VmStatus = { id: seen.id, reservedIP: needed(patch.reservedIP) }
    await act(at, { do: 'delete' }, seen)
    const left = await leftoversOf(at.reading(status), objectOf({ publicIP: 'Reserve' }, status))
    expect(left).toEqual([{ do: 'releaseAddress', ...status.reservedIP }])
    await act(at, needed(left[0]), { id: seen.id })
    expect(await listFloatingIps(session.client, location)).toEqual([])
    expect(await leftoversOf(at.reading(status), objectOf({}, status))).toEqual([])
  })

  test('an address that somebody named since is left alone', async () => {
    const at = await account({ profile })
    const { session, location } = at
    const seen = await create(at, { reservePublicIP: true })
    const address = needed((await listFloatingIps(session.client, location))[0])
    at.service.control.mutate({ do: 'rename', kind: 'floatingIp', id: address.address, name: 'mine' })
    await act(at, { do: 'delete' }, seen)
    const reservedIP = { id: String(address.id), address: address.address }
    const status: VmStatus = { id: seen.id, reservedIP }
    expect(await leftoversOf(at.reading(status), objectOf({}, status))).toEqual([])
    await act(at, { do: 'releaseAddress', ...reservedIP }, { id: seen.id })
    expect(await listFloatingIps(session.client, location)).toHaveLength(1)
  })

  test('a boot disk left behind is deleted, one that another machine has is not', async () => {
    const at = await account({ profile })
    const { session, location } = at
    const disk = await createDisk(
      session.client,
      location,
      { sizeGiB: 10, billingAccount: session.billingAccount },
      at.calling().send,
    )
    const status: VmStatus = { id: 'gone', disks: [{ id: disk.uuid, primary: true }] }
    const object = objectOf({}, status)
    expect(await leftoversOf(at.reading(status), object)).toEqual([
      { do: 'deleteBootDisk', diskID: disk.uuid },
    ])
    expect(await leftoversOf(at.reading(status), objectOf({ adopt: { id: 'gone' } }, status))).toEqual([])
    const other = await create(at)
    await attachDisk(session.client, location, other.id, disk.uuid, at.calling().send)
    expect(await leftoversOf(at.reading(status), object)).toEqual([])
  })
})

test('a row without description and disks is completed by what an exact read showed', async () => {
  const at = await account()
  at.service.control.setRule('sparseVmRows', true)
  const made = await act(at, { do: 'create', vm: wishOf(at) })
  const bare = needed((await vmReads.rows(at.reading()))[0])
  expect(bare.label).toBeUndefined()
  expect(bare.storage).toBeUndefined()
  await exact(at, made.id)
  const row = needed((await vmReads.rows(at.reading()))[0])
  expect(row.label).toBe(`front end k8s-${at.marker}`)
  expect(row.storage).toMatchObject([{ sizeGiB: 20 }])
})

test('a pool is found by name and by uuid; an unknown one is refused with the known ones, and nothing is sent', async () => {
  const at = await account()
  const pools = await at.session.pools(at.location)
  const fast = needed(pools.find((each) => each.name === 'fast'))
  expect(await create(at, { pool: 'fast' })).toMatchObject({ poolID: fast.uuid })
  expect(await create(at, { pool: fast.uuid.toUpperCase() })).toMatchObject({ poolID: fast.uuid })
  const refused = create(at, { pool: 'faster' })
  await expect(refused).rejects.toBeInstanceOf(StepRefused)
  await expect(refused).rejects.toThrow(/^spec.pool: .* known: general, fast$/)
  expect(at.service.control.inventory().vms).toHaveLength(2)
})

test('without a default network a machine waits, and nothing is sent', async () => {
  const at = await account({ profile: 'documented' })
  const { apiKey } = at.service.control.createAccount({ defaultNetwork: false })
  expect(apiKey).toBeDefined()
  for (const network of at.service.control.inventory().networks) {
    at.service.control.mutate({ do: 'delete', kind: 'network', id: String(network['uuid']) })
  }
  await expect(create(at)).rejects.toBeInstanceOf(StepWaits)
  expect(at.service.control.inventory().vms).toHaveLength(0)
})

test('a password whose Secret vanished meanwhile is not sent', async () => {
  const at = await account()
  const seen = await create(at)
  const step = { do: 'setPassword', username: 'admin', secretUID: 's', secretVersion: '1' } as const
  await expect(actVm(at.calling({}), step, seen)).rejects.toBeInstanceOf(StepWaits)
})

test('a new machine is recorded with the password it was made with, and with a size it did not get', async () => {
  const at = await account()
  at.service.control.setRule('ramStepMib', 512)
  const vm = wishOf(at, { memoryMiB: 1000, password: { uid: 's', version: '7' } })
  const { id } = await act(at, { do: 'create', vm })
  const operation = operationOf('create', vmFacts({ do: 'create', vm }, undefined).details)
  const { patch } = await confirmVm(at.reading(), operation, await exact(at, id), objectOf({}))
  expect(patch).toEqual({
    passwordApplied: { secretUID: 's', secretVersion: '7' },
    resize: {
      target: { vcpus: 1, memoryMiB: 1000 },
      wasRunning: false,
      refused: 'accepted, but the virtual machine has 1 CPUs and 1024 MiB',
    },
  })
})
