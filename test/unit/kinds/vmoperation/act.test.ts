/** Every call of an operation, carried out against the simulated service, on both profiles; and the facts of each. */
import { afterEach, describe, expect, test } from 'vitest'
import { listNetworks } from '../../../../src/cloud/networks.ts'
import { createVm, getVm } from '../../../../src/cloud/vms.ts'
import { actOperation } from '../../../../src/kinds/vmoperation/act.ts'
import { vmOperationKind } from '../../../../src/kinds/vmoperation/kind.ts'
import { seenMachine, type SeenMachine } from '../../../../src/kinds/vmoperation/seen.ts'
import {
  operationEffect,
  operationFacts,
  type OperationStep,
} from '../../../../src/kinds/vmoperation/steps.ts'
import { needed } from '../../../../src/reconcile/needed.ts'
import { simulatedAccount, type SimulatedAccount } from '../../../support/session.ts'

const open: SimulatedAccount[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()))
})

async function machine(at: SimulatedAccount): Promise<SeenMachine> {
  const { client } = at.session
  const networks = await listNetworks(client, await at.session.networkScope(at.location))
  const vm = {
    name: 'web',
    networkUUID: needed(networks[0]).uuid,
    reservePublicIP: false,
    vcpus: 1,
    memoryMiB: 1024,
    osName: 'ubuntu',
    osVersion: '24.04',
    bootDiskGiB: 20,
    billingAccount: at.session.billingAccount,
    username: 'admin',
  }
  return seenMachine(await createVm(client, at.location, vm, at.calling().send))
}

describe.each(['extended', 'documented'] as const)('on the %s profile', (profile) => {
  test('a machine is stopped, rescued, stopped by force, started, reinstalled and rebuilt', async () => {
    const at = await simulatedAccount({ profile })
    open.push(at)
    const seen = await machine(at)
    const { control } = at.service
    const replica = control.mutate({ do: 'addReplica', vm: seen.id, type: 'snapshot' }).ids[0] ?? ''
    const act = async (step: OperationStep) => {
      const reply = await actOperation(at.calling(), step, seen)
      expect(reply.id).toBe(seen.id)
      return seenMachine(await getVm(at.session.client, at.location, seen.id)).power
    }
    expect(await act({ do: 'stop' })).toBe('stopped')
    expect(await act({ do: 'rescueStart' })).toBe('running')
    expect(await act({ do: 'forceStop' })).toBe('stopped')
    expect(await act({ do: 'start' })).toBe('running')
    expect(await act({ do: 'reinstall' })).toBe('running')
    expect(await act({ do: 'reinstall', image: { os: 'debian', version: '12' } })).toBe('running')
    expect(await act({ do: 'reinstall', baseOSImage: 'ubuntu_24.04' })).toBe('running')
    expect(await act({ do: 'rebuild', replica, snapshot: 'nightly' })).toBe('running')
    const calls = control.calls({ mutationsOnly: true }).slice(-8)
    expect(calls.map(({ path, body }) => [path.split('/').at(-1), { ...body, uuid: undefined }])).toEqual([
      ['stop', { force: 'false' }],
      ['rescue_start', {}],
      ['stop', { force: 'true' }],
      ['start', {}],
      ['reinstall', {}],
      ['reinstall', { os_name: 'debian', os_version: '12' }],
      ['reinstall', { base_os_image: 'ubuntu_24.04' }],
      ['rebuild', { replica_uuid: replica }],
    ])
    expect(control.counters().preconditionsViolated).toBe(0)
  })
})

const steps: readonly OperationStep[] = [
  { do: 'stop' },
  { do: 'forceStop' },
  { do: 'start' },
  { do: 'rescueStart' },
  { do: 'reinstall' },
  { do: 'rebuild', replica: 'r', snapshot: 'nightly' },
]

test('all but the start is sent once; every call has the machine to itself', () => {
  const facts = steps.map((step) => operationFacts(step, { id: 'vm' }))
  expect(facts.map(({ nature }) => nature)).toEqual([
    'oneShot',
    'oneShot',
    'set',
    'oneShot',
    'oneShot',
    'oneShot',
  ])
  expect(facts.every(({ locks }) => locks?.[0] === 'vm')).toBe(true)
  expect(facts.filter(({ slow }) => slow === true).map(({ words }) => words)).toEqual([
    'install the operating system anew',
    'put the boot disk back to CloudSnapshot nightly',
  ])
})

test.each([
  ['stop', 'stopped', true],
  ['stop', 'running', false],
  ['forceStop', 'stopped', true],
  ['rescueStart', 'running', true],
  ['rescueStart', 'stopped', false],
  ['reinstall', 'running', false],
  ['rebuild', 'running', false],
] as const)('after an error, %s of a machine that is %s: it happened: %s', (verb, power, happened) => {
  expect(operationEffect({ id: 'op', verb, issuedAt: '' }, { id: 'vm', power })).toBe(happened)
})

test.each<[OperationStep, string, string | undefined, string | undefined]>([
  [{ do: 'reinstall' }, 'unknown image', 'os_version', 'spec.reinstall.image'],
  [{ do: 'reinstall' }, 'base_os_image: unknown', undefined, 'spec.reinstall.baseOSImage'],
  [{ do: 'rebuild', replica: 'r', snapshot: 's' }, 'none', 'replica_uuid', 'spec.rebuild.snapshotRef'],
  [{ do: 'reinstall' }, 'no', 'uuid', undefined],
  [{ do: 'stop' }, 'no', 'os_name', undefined],
])('a refusal of %o by "%s" (%s) is about %s', (step, text, parameter, field) => {
  expect(vmOperationKind.refusedField(step, text, parameter)).toBe(field)
})

test('a start that is refused is tried again; nothing else is', () => {
  expect(vmOperationKind.refusedWait({ do: 'start' }, 'no capacity')?.message).toContain('"no capacity"')
  expect(vmOperationKind.refusedWait({ do: 'stop' }, 'no')).toBeUndefined()
})
