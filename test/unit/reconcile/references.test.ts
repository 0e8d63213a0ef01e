import { describe, expect, test } from 'vitest'
import { FINALIZER } from '../../../src/api/group.ts'
import type { CommonStatus, Condition } from '../../../src/api/shared.ts'
import { diskKind } from '../../../src/kinds/disk/kind.ts'
import { networkKind } from '../../../src/kinds/network/kind.ts'
import { vmKind } from '../../../src/kinds/vm/kind.ts'
import type { CloudResource, Link } from '../../../src/reconcile/kind.ts'
import { object, storesWith, type Wish } from './objects.ts'

const LINK: Link = { field: 'spec.vmRef', kind: 'CloudVM', name: 'web', needed: 'always' }
const disk = (wish: Wish = {}) =>
  object({ kind: 'CloudDisk', name: 'data', spec: { vmRef: { name: 'web' } }, ...wish })
const EXISTS: CommonStatus = { id: 'vm-1' }

function stalled(reason: string): Condition {
  const text = { message: 'text', lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 1 }
  return { type: 'Stalled', status: 'True', reason, ...text }
}

describe('what a reference leads to', () => {
  const state = (target?: CloudResource) =>
    storesWith(disk(), ...(target === undefined ? [] : [target])).references.resolve(disk(), LINK)

  test('ready: it has an id', () => {
    const vm = object({ status: EXISTS })
    expect(state(vm)).toEqual({ state: 'ready', id: 'vm-1', object: vm })
  })

  test('ready: stalled for another reason, or in the middle of a change', () => {
    const operation = { id: 'x', verb: 'stop', issuedAt: '2026-01-01T00:00:00Z' }
    expect(state(object({ status: { ...EXISTS, operation } })).state).toBe('ready')
    expect(state(object({ status: { ...EXISTS, conditions: [stalled('QuotaExceeded')] } })).state).toBe(
      'ready',
    )
  })

  test('leaving: it is being deleted', () => {
    const leaving = object({ status: EXISTS, deleting: true })
    expect(state(leaving)).toEqual({ state: 'leaving', object: leaving })
  })

  test.each<[string, CloudResource | undefined, string]>([
    ['not there', undefined, 'spec.vmRef: CloudVM web does not exist yet'],
    ['without an id', object(), 'spec.vmRef: CloudVM web is not created yet'],
    [
      'its create is not confirmed',
      object({ status: { ...EXISTS, operation: { id: 'x', verb: 'create', issuedAt: 'now' } } }),
      'spec.vmRef: CloudVM web is not created yet',
    ],
    [
      'deleted behind our back',
      object({ status: { ...EXISTS, conditions: [stalled('ExternallyDeleted')] } }),
      'spec.vmRef: CloudVM web was deleted in the cloud',
    ],
  ])('waiting: %s', (_case, target, message) => {
    expect(state(target)).toEqual({ state: 'waiting', message })
  })
})

test('who refers to it: by name, kind and namespace', () => {
  const elsewhere = disk({ name: 'far' })
  const far = { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'other' } }
  const near = disk()
  const { references } = storesWith(object(), near, far, disk({ name: 'free', spec: {} }))
  expect(references.referrers(object())).toEqual([near])
  expect(references.referrers(object({ kind: 'CloudNetwork' }))).toEqual([])
})

const NONE_KEPT = () => false

describe('who holds a deletion', () => {
  const network = object({ kind: 'CloudNetwork', name: 'front' })
  const member = (name: string, wish: Wish = {}) =>
    object({ name, spec: { networkRef: { name: 'front' } }, status: { id: name }, ...wish })

  test('only what may have something in the cloud, five at most, in order of their names', () => {
    const names = ['f', 'b', 'a', 'e', 'd', 'c']
    const { references } = storesWith(
      network,
      ...names.map((name) => member(name)),
      member('0', { status: {} }),
    )
    expect(references.held(network, networkKind.heldBy ?? [], NONE_KEPT)).toMatch(
      /^still used by CloudVM a, CloudVM b, CloudVM c, CloudVM d, CloudVM e; a network is/,
    )
  })

  test('an open operation may have made something', () => {
    const operation = { id: 'x', verb: 'create', issuedAt: '2026-01-01T00:00:00Z' }
    const { references } = storesWith(network, member('new', { status: { operation } }))
    expect(references.held(network, networkKind.heldBy ?? [], NONE_KEPT)).toContain('CloudVM new;')
  })

  const held = (...objects: readonly CloudResource[]) =>
    storesWith(network, ...objects).references.held(network, networkKind.heldBy ?? [], NONE_KEPT)

  test('what has our finalizer and no account on record may have lost its status', () => {
    const finalizers = [FINALIZER]
    expect(held(member('lost', { status: {}, finalizers }))).toContain('CloudVM lost;')
    const account = { name: 'default', endpoint: 'https://cloud', userID: 1 }
    expect(held(member('begun', { status: { account }, finalizers }))).toBeUndefined()
  })

  test('what a copied status names, as long as no object has it as its own', () => {
    const copy = member('copy', { status: { id: 'vm-1', uid: 'another' } })
    expect(held(copy)).toContain('CloudVM copy;')
    expect(held(copy, object({ name: 'original', status: { id: 'vm-1' } }))).toBeUndefined()
  })

  test('one of another namespace is named with it', () => {
    const guard = object({ kind: 'CloudDisk', name: 'guard', status: { id: 'disk-1' } })
    const far = { ...guard, metadata: { ...guard.metadata, namespace: 'other' } }
    const disks = [{ id: 'disk-1', primary: true }]
    const vm = object({ status: { ...EXISTS, disks } as CommonStatus })
    const { references } = storesWith(vm, far)
    expect(references.held(vm, vmKind.heldBy ?? [], NONE_KEPT)).toContain('CloudDisk other/guard;')
  })

  test('what only says that it will adopt: in its own namespace', () => {
    const guard = object({ kind: 'CloudDisk', name: 'guard', spec: { adopt: { id: 'disk-1' } } })
    const far = { ...guard, metadata: { ...guard.metadata, namespace: 'other' } }
    const disks = [{ id: 'disk-1', primary: true }]
    const vm = object({ status: { ...EXISTS, disks } as CommonStatus })
    const by = (disk: CloudResource) =>
      storesWith(vm, disk).references.held(vm, vmKind.heldBy ?? [], NONE_KEPT)
    expect(by(guard)).toContain('CloudDisk guard;')
    expect(by(far)).toBeUndefined()
  })

  test('a disk by the machine that boots from it, not by one that it is attached to', () => {
    const vmRef = { vmRef: { name: 'web' } }
    const data = object({ kind: 'CloudDisk', name: 'data', spec: vmRef })
    const boots = object({ spec: { source: { diskRef: { name: 'data' } } }, status: EXISTS })
    const has = object({ status: EXISTS })
    const dependants = diskKind.heldBy ?? []
    expect(storesWith(data, boots).references.held(data, dependants, NONE_KEPT)).toContain('CloudVM web;')
    expect(storesWith(data, has).references.held(data, dependants, NONE_KEPT)).toBeUndefined()
  })
})

describe('whose a cloud object is', () => {
  const at = (endpoint: string): CommonStatus => ({ id: '7', account: { endpoint, userID: 1 } })
  const mine = object({ kind: 'CloudFloatingIP', name: 'mine', status: at('http://a') })

  test('another object’s, not its own', () => {
    const { references } = storesWith(mine)
    expect(references.holdersOf('CloudFloatingIP', '7')).toEqual([mine])
    expect(references.holdersOf('CloudFloatingIP', '7', mine)).toEqual([])
    expect(references.holdersOf('CloudDisk', '7')).toEqual([])
    expect(references.holdersOf('CloudFloatingIP', '8')).toEqual([])
  })

  test('a copy under another name or UID is another object', () => {
    const { references } = storesWith(mine)
    const copy = object({ kind: 'CloudFloatingIP', name: 'copy', uid: mine.metadata.uid })
    expect(references.holdersOf('CloudFloatingIP', '7', copy)).toEqual([mine])
    const anew = object({ kind: 'CloudFloatingIP', name: 'mine', uid: 'another' })
    expect(references.holdersOf('CloudFloatingIP', '7', anew)).toEqual([mine])
  })

  test('a copied status holds nothing, and names it', () => {
    const status = { ...at('http://a'), uid: 'of-another' }
    const copy = object({ kind: 'CloudFloatingIP', name: 'copy', status })
    const { references } = storesWith(copy, mine)
    expect(references.holdersOf('CloudFloatingIP', '7')).toEqual([mine])
    const alone = storesWith(copy).references
    expect(alone.holdersOf('CloudFloatingIP', '7')).toEqual([])
    expect(alone.isNamed('CloudFloatingIP', '7', 'http://a')).toBe(true)
    expect(alone.isNamed('CloudFloatingIP', '7', 'http://b')).toBe(false)
    expect(alone.isNamed('CloudFloatingIP', '8', 'http://a')).toBe(false)
    const link: Link = { field: 'spec.ref', kind: 'CloudFloatingIP', name: 'copy', needed: 'always' }
    expect(references.resolve(mine, link)).toEqual({
      state: 'waiting',
      message: 'spec.ref: CloudFloatingIP copy is a copy with the status of another object',
    })
  })

  test('a number at another service is another thing', () => {
    const { references } = storesWith(mine)
    expect(references.holdersOf('CloudFloatingIP', '7', undefined, 'http://a')).toEqual([mine])
    expect(references.holdersOf('CloudFloatingIP', '7', undefined, 'http://b')).toEqual([])
    const nowhere = object({ kind: 'CloudFloatingIP', name: 'old', status: { id: '9' } })
    expect(storesWith(nowhere).references.holdersOf('CloudFloatingIP', '9', undefined, 'http://b')).toEqual([
      nowhere,
    ])
  })
})
