import { describe, expect, test } from 'vitest'
import type { CloudDisk, DiskSpec, DiskStatus } from '../../../../src/api/disk.ts'
import type { CloudVM } from '../../../../src/api/vm.ts'
import { diskKind } from '../../../../src/kinds/disk/kind.ts'
import type { CloudResource, LinkState } from '../../../../src/reconcile/kind.ts'
import { markerOf } from '../../../../src/reconcile/marker.ts'
import type { Session } from '../../../../src/reconcile/session.ts'

const marker = markerOf('cluster', 'uid')
/** The part of a session that wishes look at. */
const session = {
  endpoint: 'https://cloud.example',
  userID: 7,
  billingAccount: 1234,
  capabilities: {},
} as Session

function resource(kind: string, name: string): Omit<CloudResource, 'spec'> {
  const metadata = { name, namespace: 'default', uid: 'uid', resourceVersion: '1', generation: 1 }
  return {
    apiVersion: 'cloud-operator.dev/v1alpha1',
    kind,
    metadata: { ...metadata, creationTimestamp: '2026-01-01T00:00:00Z' },
  }
}

function disk(spec: Partial<DiskSpec> = {}, status?: DiskStatus): CloudDisk {
  return { ...resource('CloudDisk', 'data'), spec: { sizeGiB: 50, ...spec }, ...(status && { status }) }
}

function vm(spec: CloudVM['spec'] = {}, location = 'jkt01'): CloudVM {
  return { ...resource('CloudVM', 'web'), spec, status: { id: 'vm', location } }
}

function ready(id: string, object: CloudResource): LinkState {
  return { state: 'ready', id, object }
}

const vmRef = { name: 'web' }
const leaving: LinkState = { state: 'leaving', object: {} as CloudResource }
const missing: LinkState = { state: 'waiting', message: 'spec.vmRef: CloudVM web does not exist yet' }

function wish(object: CloudDisk, links: Readonly<Record<string, LinkState>> = {}) {
  return diskKind.want(object, {
    marker,
    session,
    location: 'jkt01',
    link: (field) => links[field],
    secret: () => undefined,
    peers: () => [],
    referrers: () => [],
  })
}

describe('what a new disk is made of', () => {
  const name = `data-${marker}`

  test('an empty one carries the marker in its name', () => {
    const create = { name, sizeGiB: 50, billingAccount: 1234 }
    expect(wish(disk())).toEqual({
      is: 'ready',
      want: { create, name, sizeGiB: 50, billingAccount: undefined, vm: { is: 'none' } },
    })
  })

  test('an image goes by its name and version', () => {
    const source = { image: { os: 'ubuntu', version: '24.04' } }
    expect(wish(disk({ source }))).toMatchObject({
      want: { create: { source: { type: 'OS_BASE', id: 'ubuntu_24.04' } } },
    })
  })

  test('a snapshot goes by its cloud id, and is waited for by nobody', () => {
    expect(wish(disk({ source: { snapshotID: 's-1' } }))).toMatchObject({
      is: 'ready',
      want: { create: { source: { type: 'SNAPSHOT', id: 's-1' }, sizeGiB: 50 } },
    })
  })

  test('a copy goes by the id of its source', () => {
    const object = disk({ source: { diskRef: { name: 'golden' } } })
    const golden = { ...resource('CloudDisk', 'golden'), spec: {} }
    expect(wish(object, { 'spec.source.diskRef': ready('g', golden) })).toMatchObject({
      want: { create: { source: { type: 'DISK', id: 'g' } } },
    })
    expect(wish(object, { 'spec.source.diskRef': leaving }).is).toBe('waiting')
    expect(wish(object).is).toBe('waiting')
  })

  test('what exists is not made', () => {
    expect(wish(disk({}, { id: 'disk' }))).toMatchObject({ want: { create: undefined } })
    expect(wish(disk({ adopt: { id: 'disk' } }))).toMatchObject({
      want: { create: undefined, name: undefined },
    })
  })
})

describe('the machine of a disk', () => {
  test('is the one referred to', () => {
    expect(wish(disk({ vmRef }), { 'spec.vmRef': ready('vm', vm()) })).toMatchObject({
      want: { vm: { is: 'ready', id: 'vm', name: 'web' } },
    })
  })

  test('is none while the one referred to is being deleted', () => {
    expect(wish(disk({ vmRef }), { 'spec.vmRef': leaving })).toMatchObject({ want: { vm: { is: 'none' } } })
  })

  test('is waited for before anything is made', () => {
    expect(wish(disk({ vmRef }), { 'spec.vmRef': missing })).toMatchObject({
      is: 'waiting',
      wait: { reason: 'WaitingForDependency' },
    })
  })

  test('keeps nothing else from being done once the disk exists', () => {
    expect(wish(disk({ vmRef }, { id: 'disk' }), { 'spec.vmRef': missing })).toMatchObject({
      is: 'ready',
      want: { vm: { is: 'waiting' } },
    })
  })

  test('cannot be in another location', () => {
    expect(wish(disk({ vmRef }), { 'spec.vmRef': ready('vm', vm({}, 'sgp01')) })).toMatchObject({
      is: 'blocked',
      block: { reason: 'ReferenceInvalid' },
    })
  })

  test('cannot be the one that boots from the disk', () => {
    const booting = vm({ source: { diskRef: { name: 'data' } } })
    expect(wish(disk({ vmRef }), { 'spec.vmRef': ready('vm', booting) })).toMatchObject({
      is: 'blocked',
      block: { reason: 'ReferenceInvalid' },
    })
  })
})

describe('the machine that boots from a disk holds its deletion', () => {
  const [dependant] = diskKind.heldBy ?? []
  const booting = vm({ source: { diskRef: { name: 'data' } } })

  test('one that has it attached does not', () => {
    expect(dependant?.holds(booting, disk(), () => false)).toBe(true)
    expect(dependant?.holds(vm(), disk({ vmRef }), () => false)).toBe(false)
  })

  test('also where the disk is kept, unless the machine is kept too', () => {
    expect(dependant?.evenIfKept).toBe(true)
    expect(dependant?.holds(booting, disk(), ({ kind }) => kind === 'CloudDisk')).toBe(true)
    expect(dependant?.holds(booting, disk(), () => true)).toBe(false)
  })
})
