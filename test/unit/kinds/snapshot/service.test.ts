/** Snapshots against the simulated service, on both profiles: what is read, what is taken, and what rest costs. */
import { afterEach, describe, expect, test } from 'vitest'
import type { SnapshotStatus } from '../../../../src/api/snapshot.ts'
import type { Operation } from '../../../../src/api/shared.ts'
import { createVm, getVm } from '../../../../src/cloud/vms.ts'
import { actSnapshot } from '../../../../src/kinds/snapshot/act.ts'
import { snapshotToAdopt } from '../../../../src/kinds/snapshot/adopt.ts'
import { snapshotKind } from '../../../../src/kinds/snapshot/kind.ts'
import { snapshotReads, type SeenSnapshot } from '../../../../src/kinds/snapshot/seen.ts'
import type { CallContext } from '../../../../src/reconcile/kind.ts'
import { baselineOf } from '../../../../src/reconcile/look.ts'
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

interface Machine {
  readonly id: string
  readonly diskID: string
  readonly status: SnapshotStatus
}

async function machine(at: SimulatedAccount, name = 'db'): Promise<Machine> {
  const { session, location } = at
  const scope = await session.networkScope(location)
  const networks = await session.inventory.list('network', scope, { maxAgeMs: 0 })
  const vm = {
    name,
    networkUUID: needed(networks.rows[0]).uuid,
    reservePublicIP: false,
    vcpus: 1,
    memoryMiB: 1024,
    osName: 'ubuntu',
    osVersion: '24.04',
    bootDiskGiB: 20,
    billingAccount: session.billingAccount,
  }
  const { uuid } = await createVm(session.client, location, vm, at.calling().send)
  const record = await getVm(session.client, location, uuid)
  const diskID = needed(record.storage?.[0]).uuid
  return { id: uuid, diskID, status: { vm: { name, id: uuid }, diskID } }
}

const add = (at: SimulatedAccount, vm: string, type = 'snapshot') =>
  needed(at.service.control.mutate({ do: 'addReplica', vm, type }).ids[0])

/** As the pipeline does it: the baseline first. */
async function take(
  at: SimulatedAccount,
  { id, diskID, status }: Machine,
  isOwned: (id: string) => boolean = () => false,
  meanwhile: () => void = () => undefined,
): Promise<SeenSnapshot | undefined> {
  const rows = await snapshotReads.rows(at.reading(status))
  meanwhile()
  const operation: Operation = { id: 'op', verb: 'create', issuedAt: '', ...baselineOf(rows) }
  const context: CallContext<SnapshotStatus> = {
    ...at.calling<SnapshotStatus>(),
    status: { ...status, operation },
    isOwned,
  }
  return actSnapshot(context, { do: 'create', vmID: id, vmName: 'db', diskID }, undefined)
}

const ready = (status: string): NonNullable<SnapshotStatus['conditions']> => [
  { type: 'Ready', status, reason: '', message: '', lastTransitionTime: '', observedGeneration: 1 },
]

const calls = (at: SimulatedAccount, path: string, since = 0) =>
  at.service.control.calls({ since }).filter((call) => call.path.endsWith(path)).length
const lastCall = (at: SimulatedAccount) => needed(at.service.control.calls().at(-1)).seq

describe.each(['extended', 'documented'] as const)('on the %s profile', (profile) => {
  test('each call takes one, and its answer shows which, whatever was there', async () => {
    const at = await account({ profile })
    const db = await machine(at)
    add(at, db.id, 'backup')
    const old = add(at, db.id)
    const first = needed(await take(at, db))
    const second = needed(await take(at, db))
    const ids = [old, first.id, second.id]
    expect(new Set(ids).size).toBe(3)
    expect(first).toMatchObject({ vmID: db.id, type: 'snapshot', sizeGiB: 20, diskID: db.diskID })
    expect((await snapshotReads.rows(at.reading(db.status))).map((row) => row.id).sort()).toEqual(ids.sort())
    expect(await snapshotReads.exact(at.reading(db.status), first.id)).toEqual(first)
  })

  test('what somebody else takes at the same moment leaves the answer open, unless it is known whose it is', async () => {
    const at = await account({ profile })
    const db = await machine(at)
    let other = ''
    const meanwhile = () => void (other = add(at, db.id))
    expect(await take(at, db, () => false, meanwhile)).toBeUndefined()
    const taken = await take(at, db, (id) => id === other, meanwhile)
    expect(needed(taken).id).not.toBe(other)
  })

  test('an answer about another disk than the machine’s is no answer, and one was taken all the same', async () => {
    const at = await account({ profile })
    const db = await machine(at)
    const elsewhere = { ...db, diskID: 'another' }
    await expect(take(at, elsewhere)).rejects.toMatchObject({ class: 'unclear' })
    expect(await snapshotReads.rows(at.reading(db.status))).toHaveLength(1)
  })

  test('it is deleted, alone; a machine that is gone has none', async () => {
    const at = await account({ profile })
    const db = await machine(at)
    const kept = needed(await take(at, db))
    const seen = needed(await take(at, db))
    await actSnapshot(at.calling(), { do: 'delete' }, seen)
    expect(await snapshotReads.exact(at.reading(db.status), seen.id)).toBeUndefined()
    expect(await snapshotReads.exact(at.reading(db.status), kept.id)).toEqual(kept)
    at.service.control.mutate({ do: 'delete', kind: 'vm', id: db.id })
    expect(await snapshotReads.exact(at.reading(db.status), kept.id)).toBeUndefined()
    expect(await snapshotReads.rows(at.reading(db.status))).toEqual([])
  })

  test('without the machine in its status nothing is concluded of one that exists', async () => {
    const at = await account({ profile })
    expect(await snapshotReads.rows(at.reading({}))).toEqual([])
    await expect(snapshotReads.exact(at.reading({}), 'r-1')).rejects.toThrow(/does not say/)
  })

  test.each([false, true])('a hundred at rest cost one list of machines (sparse: %s)', async (sparse) => {
    const at = await account({ profile })
    at.service.control.setRule('sparseVmRows', sparse)
    const db = await machine(at)
    const settled: SnapshotStatus[] = []
    for (let count = 0; count < 100; count++) {
      const type = count % 2 === 0 ? 'snapshot' : 'backup'
      const status = { ...db.status, type }
      const seen = needed(await snapshotReads.exact(at.reading(status), add(at, db.id, type)))
      const report = snapshotKind.report(seen, { status, appliedBefore: false }, undefined)
      settled.push({ ...status, ...(report as SnapshotStatus), id: seen.id, conditions: ready('True') })
    }
    const since = lastCall(at)
    for (let interval = 0; interval < 3; interval++) {
      const freshness = { maxAgeMs: 240_000 }
      for (const status of settled) {
        const seen = await snapshotReads.row({ ...at.reading(status), freshness }, needed(status.id))
        // As good as the list: nothing is written either.
        const memory = { status, appliedBefore: true }
        expect({ ...status, ...snapshotKind.report(needed(seen), memory, undefined) }).toEqual(status)
      }
    }
    expect(calls(at, '/vm/replica', since)).toBe(0)
    expect(calls(at, '/vm/list', since)).toBe(1)
  })

  test('at rest one that its machine no longer shows is a reason to read', async () => {
    const at = await account({ profile })
    const db = await machine(at)
    const seen = needed(await take(at, db))
    const settled = { ...db.status, id: seen.id, type: 'snapshot', conditions: ready('True') }
    const resting = (status: SnapshotStatus = settled) =>
      snapshotReads.row({ ...at.reading(status), freshness: { maxAgeMs: 0 } }, seen.id)
    expect(await resting()).toMatchObject({ id: seen.id, type: 'snapshot' })
    await actSnapshot(at.calling(), { do: 'delete' }, seen)
    expect(await resting()).toBeUndefined()
    at.service.control.setRule('sparseVmRows', true)
    expect(await resting()).toMatchObject({ id: seen.id })
    // Nobody was told that it is well: what was recorded stands for nothing.
    expect(await resting({ ...settled, conditions: ready('False') })).toBeUndefined()
    at.service.control.mutate({ do: 'delete', kind: 'vm', id: db.id })
    expect(await resting()).toBeUndefined()
  })

  test('a snapshot, a backup and a copy of a type unknown to us are found to be taken over', async () => {
    const at = await account({ profile })
    const db = await machine(at)
    for (const type of ['snapshot', 'backup', 'archive']) {
      const id = add(at, db.id, type)
      const seen = await snapshotToAdopt(at.reading(db.status), id)
      expect(seen).toMatchObject({ id, vmID: db.id, type, diskID: db.diskID })
      expect(await snapshotReads.exact(at.reading({ ...db.status, type }), id)).toEqual(seen)
    }
  })

  test.each([false, true])('one of another machine is named with both (sparse: %s)', async (sparse) => {
    const at = await account({ profile })
    at.service.control.setRule('sparseVmRows', sparse)
    const [db, web] = [await machine(at), await machine(at, 'web')]
    const id = add(at, web.id)
    const found = await snapshotToAdopt(at.reading(db.status), id)
    const { refuses } = found as { refuses: { reason: string; message: string } }
    expect(refuses.message).toMatch(/^spec\.adopt\.id: /)
    expect(refuses.message).toContain(`CloudVM db (${db.id})`)
    expect(refuses.message).toContain(id)
    // A list that does not show disks cannot tell whose it is.
    expect(refuses.reason).toBe(sparse ? 'NotFoundToAdopt' : 'ReferenceInvalid')
    if (!sparse) expect(refuses.message).toContain(`web (${web.id})`)
  })

  test('one that nobody has is said to be missing', async () => {
    const at = await account({ profile })
    const db = await machine(at)
    const found = await snapshotToAdopt(at.reading(db.status), `${db.diskID}2020-01-01-00-00-00`)
    expect(found).toMatchObject({ refuses: { reason: 'NotFoundToAdopt' } })
  })
})
