/** A reference leads to the namespace of who refers, and to no other. */
import { describe, expect, test } from 'vitest'
import type { KubeClient } from '../../src/kube/requests.ts'
import { createAccounts } from '../../src/reconcile/accounts.ts'
import type { CloudResource, Link } from '../../src/reconcile/kind.ts'
import { createSecrets } from '../../src/reconcile/secrets.ts'
import type { Session } from '../../src/reconcile/session.ts'
import { silentLog } from '../../src/telemetry/log.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { object, storesWith } from '../unit/reconcile/objects.ts'

const LINK: Link = { field: 'spec.vmRef', kind: 'CloudVM', name: 'web', needed: 'always' }
const disk = object({ kind: 'CloudDisk', name: 'data', spec: { vmRef: { name: 'web' } } })
const elsewhere = (each: CloudResource): CloudResource => ({
  ...each,
  metadata: { ...each.metadata, namespace: 'other', uid: `${each.metadata.uid}-other` },
})
const vm = object({ status: { id: 'vm-1' } })

describe('an object', () => {
  test('of that name in another namespace is not found', () => {
    const { references } = storesWith(disk, elsewhere(vm))
    expect(references.resolve(disk, LINK)).toEqual({
      state: 'waiting',
      message: 'spec.vmRef: CloudVM web does not exist yet',
    })
    expect(storesWith(disk, vm, elsewhere(vm)).references.resolve(disk, LINK)).toMatchObject({ object: vm })
  })

  test('is not referred to, and not held, from another namespace', () => {
    const { references } = storesWith(disk, elsewhere(vm))
    expect(references.referrers(elsewhere(vm))).toEqual([])
    const dependant = { kind: 'CloudDisk', holds: () => true, until: 'delete it' } as const
    const used = object({
      kind: 'CloudDisk',
      name: 'data',
      spec: { vmRef: { name: 'web' } },
      status: { id: 'd' },
    })
    const there = storesWith(used, vm, elsewhere(vm)).references
    const keeps = { keeps: () => false } as never
    expect(there.held(elsewhere(vm), [dependant], keeps)).toBeUndefined()
    expect(there.held(vm, [dependant], keeps)).toContain('CloudDisk data')
  })
})

test('an account of that name in another namespace is not used', () => {
  const accounts = createAccounts(
    () => undefined,
    () => false,
  )
  accounts.publish('other/default', { is: 'ready', session: {} as Session })
  expect(accounts.session('team', 'default').is).not.toBe('ready')
  expect(accounts.session('other', 'default').is).toBe('ready')
})

test('a Secret is asked for in the namespace of who refers, and kept apart from one of that name elsewhere', async () => {
  const asked: string[] = []
  const kube = {
    getSecret: (namespace: string, name: string) => {
      asked.push(`${namespace}/${name}`)
      return Promise.resolve({ metadata: { uid: namespace, resourceVersion: '1' }, data: { key: namespace } })
    },
  } as unknown as KubeClient
  const secrets = createSecrets(kube, createManualClock(), silentLog)
  expect(await secrets.read('team', 'token', 'key', 60_000)).toMatchObject({ value: 'team' })
  expect(await secrets.read('other', 'token', 'key', 60_000)).toMatchObject({ value: 'other' })
  expect(await secrets.read('team', 'token', 'key', 60_000)).toMatchObject({ value: 'team' })
  expect(asked).toEqual(['team/token', 'other/token'])
})
