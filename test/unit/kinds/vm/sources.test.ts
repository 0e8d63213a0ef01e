/** Machines made from what exists, and with documents that are referred to, against the simulated service. */
import { describe, expect, test } from 'vitest'
import { actVm } from '../../../../src/kinds/vm/act.ts'
import { confirmVm, namelessAddresses } from '../../../../src/kinds/vm/companions.ts'
import { vmFacts, type VmStep } from '../../../../src/kinds/vm/steps.ts'
import { markedText } from '../../../../src/reconcile/marker.ts'
import { StepRefused, StepWaits } from '../../../../src/reconcile/refused.ts'
import { account, act, create, exact, objectOf, operationOf, wishOf } from './serviced.ts'

describe('made from what exists', () => {
  test('a machine from a snapshot: its content, its own size, its disk as big as it was', async () => {
    const at = await account()
    const original = await create(at)
    const [replicaID = ''] = at.service.control.mutate({
      do: 'addReplica',
      vm: original.id,
      type: 'snapshot',
    }).ids
    const from = { replicaID, vmID: original.id }
    const seen = await create(at, { from, vcpus: 2, description: markedText(undefined, at.marker) })
    expect(seen).toMatchObject({ vcpus: 2, os: 'ubuntu', osVersion: '24.04', label: `k8s-${at.marker}` })
    expect(seen.storage).toMatchObject([{ sizeGiB: 20, primary: true }])
    const step: VmStep = { do: 'create', vm: wishOf(at, { from }) }
    expect(vmFacts(step, undefined).locks).toEqual([original.id])
  })

  test('a clone: only its name is new, its address is found, and the original is as it was', async () => {
    const at = await account()
    const original = await create(at, { reservePublicIP: true })
    const before = at.service.control.inventory().vms
    const companions = await namelessAddresses(at.reading())
    const vm = { cloneOf: original.id, original: 'web', name: `copy-${at.marker}`, withAddress: true }
    const { id } = await act(at, { do: 'create', vm })
    const seen = await exact(at, id, { operation: operationOf('create') })
    expect(seen).toMatchObject({ name: vm.name, label: original.label, vcpus: 1, memoryMiB: 1024 })
    expect(at.service.control.inventory().vms.filter((each) => each['uuid'] !== id)).toEqual(before)
    const { details, locks } = vmFacts({ do: 'create', vm }, undefined)
    expect(locks).toEqual([original.id])
    const operation = { ...operationOf('create', details), companions: [...companions] }
    const object = objectOf({ source: { vmRef: { name: 'web' } } })
    const confirmed = await confirmVm(at.reading(), operation, seen, object)
    expect(confirmed).toEqual({
      patch: { reservedIP: { id: expect.anything() as string, address: seen.publicIPs?.[0] } },
    })
    // Which one came along cannot be told without what was there before.
    const blind = operationOf('create', details)
    expect(await confirmVm(at.reading(), blind, seen, object)).toEqual({ patch: {} })
  })

  test('an address that a clone may have is looked for, one that it cannot have is not', async () => {
    const at = await account()
    const original = await create(at)
    const object = objectOf({ source: { vmRef: { name: 'web' } } })
    const vm = { cloneOf: original.id, original: 'web', name: `copy-${at.marker}`, withAddress: false }
    const { id } = await act(at, { do: 'create', vm })
    const seen = await exact(at, id)
    const operation = (withAddress: boolean) => ({
      ...operationOf('create', vmFacts({ do: 'create', vm: { ...vm, withAddress } }, undefined).details),
      companions: [],
    })
    expect(await confirmVm(at.reading(), operation(false), seen, object)).toEqual({ patch: {} })
    expect(await confirmVm(at.reading(), operation(true), seen, object)).toMatchObject({
      wait: expect.stringContaining('public address') as string,
      atMostMs: 6_000,
    })
  })

  test('a document of cloud-init is sent as JSON; one that the service does not support is not sent', async () => {
    const at = await account()
    const cloudInit = { field: 'spec.cloudInit.secretRef', uid: 's', version: '1' }
    const making = (text?: string) => {
      const secrets = text === undefined ? {} : { [cloudInit.field]: text }
      return actVm(at.calling(secrets), { do: 'create', vm: wishOf(at, { cloudInit }) }, undefined)
    }
    const { id } = await making('#cloud-config\nruncmd: [uptime]\n')
    const row = at.service.control.inventory().vms.find((each) => each['uuid'] === id)
    expect(row?.['cloudInit']).toBe('{"runcmd":["uptime"]}')
    await expect(making('packages: [nginx]')).rejects.toBeInstanceOf(StepRefused)
    await expect(making()).rejects.toBeInstanceOf(StepWaits)
    expect(at.service.control.inventory().vms).toHaveLength(1)
  })
})
