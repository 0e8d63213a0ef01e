import { describe, expect, test } from 'vitest'
import type { CloudDisk } from '../../../../src/api/disk.ts'
import type { CloudSnapshot } from '../../../../src/api/snapshot.ts'
import type { CloudVM, VmSpec, VmStatus } from '../../../../src/api/vm.ts'
import { vmKind } from '../../../../src/kinds/vm/kind.ts'
import type { CloudResource, LinkState, WishFacts } from '../../../../src/reconcile/kind.ts'
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

const spec: VmSpec = {
  image: { os: 'ubuntu', version: '24.04' },
  bootDisk: { sizeGiB: 20 },
  vcpus: 2,
  memoryMiB: 2048,
}

function vm(more: Partial<VmSpec> = {}, status?: VmStatus): CloudVM {
  return { ...resource('CloudVM', 'web'), spec: { ...spec, ...more }, ...(status && { status }) }
}

function disk(more: Partial<CloudDisk['spec']> = {}, status: CloudDisk['status'] = {}): CloudDisk {
  return {
    ...resource('CloudDisk', 'system'),
    spec: { sizeGiB: 20, ...more },
    status: { location: 'jkt01', ...status },
  }
}

function ready(id: string, object: CloudResource): LinkState {
  return { state: 'ready', id, object }
}

const network = ready('net', { ...resource('CloudNetwork', 'back'), spec: {} })

function wish(
  object: CloudVM,
  links: Readonly<Record<string, LinkState>> = {},
  more: Partial<WishFacts> = {},
) {
  return vmKind.want(object, {
    marker,
    session,
    location: 'jkt01',
    link: (field) => links[field],
    secret: () => undefined,
    peers: () => [],
    referrers: () => [],
    ...more,
  })
}

function creation(...from: Parameters<typeof wish>) {
  const made = wish(...from)
  if (made.is !== 'ready') throw new Error(`not ready but ${made.is}`)
  return made.want.create
}

describe('what a new machine is made of', () => {
  test('the marker is the last word of its description, sizes and image are the spec’s', () => {
    expect(creation(vm({ description: 'front end' }))).toEqual({
      name: 'web',
      description: `front end k8s-${marker}`,
      vcpus: 2,
      memoryMiB: 2048,
      from: { os: 'ubuntu', version: '24.04', bootDiskGiB: 20 },
      reservePublicIP: false,
      billingAccount: 1234,
    })
  })

  test('an address is reserved only where the spec says so', () => {
    expect(creation(vm({ publicIP: 'Reserve' }))).toMatchObject({ reservePublicIP: true })
    expect(creation(vm({ publicIP: 'None' }))).toMatchObject({ reservePublicIP: false })
  })

  test('its network is the one referred to', () => {
    const object = vm({ networkRef: { name: 'back' } })
    expect(creation(object, { 'spec.networkRef': network })).toMatchObject({ networkID: 'net' })
  })

  test('cloud-init is sent in its own words', () => {
    const cloudInit = { runcmd: ['uptime'], writeFiles: [{ path: '/etc/motd', content: 'hello' }] }
    const json = JSON.stringify({
      write_files: [{ path: '/etc/motd', content: 'hello' }],
      runcmd: ['uptime'],
    })
    expect(creation(vm({ cloudInit }))).toMatchObject({ cloudInit: { json } })
    expect(creation(vm({ cloudInit: {} }))).not.toHaveProperty('cloudInit')
  })

  test('a document of cloud-init is known by its Secret or ConfigMap alone, and only until the machine exists', () => {
    const secret = (field: string) => ({ uid: field, version: '2' })
    const ref = { name: 'init', key: 'user-data' }
    for (const [cloudInit, field] of [
      [{ secretRef: ref }, 'spec.cloudInit.secretRef'],
      [{ configMapRef: ref }, 'spec.cloudInit.configMapRef'],
    ] as const) {
      const made = creation(vm({ cloudInit }), {}, { secret })
      expect(made).toMatchObject({ cloudInit: { field, uid: field, version: '2' } })
      const from = 'configMapRef' in cloudInit ? { from: 'ConfigMap' } : {}
      expect(vmKind.secrets(vm({ cloudInit }))).toEqual([{ field, ...ref, ...from }])
      expect(vmKind.secrets(vm({ cloudInit }, { id: 'vm' }))).toEqual([])
      expect(vmKind.secrets(vm({ cloudInit, adopt: { id: 'vm' } }))).toEqual([])
    }
  })

  test('a snapshot is named with the machine it is of', () => {
    expect(creation(sourced({ snapshotRef: { name: 's' } }), snapshot())).toMatchObject({
      from: { replicaID: 'r-1', vmID: 'vm-1' },
    })
  })

  test('a clone has the marker in its name, and nothing else is said of it', () => {
    const links = { 'spec.source.vmRef': ready('vm-1', vm({}, { publicIPs: ['192.0.2.1'] })) }
    expect(creation(sourced({ vmRef: { name: 'original' } }, { name: 'copy' }), links)).toEqual({
      cloneOf: 'vm-1',
      original: 'original',
      name: `copy-${marker}`,
      withAddress: true,
    })
  })

  test('a clone without a size keeps that of its original', () => {
    const links = { 'spec.source.vmRef': ready('vm-1', vm()) }
    const made = wish(sourced({ vmRef: { name: 'original' } }, {}, {}), links)
    expect(made).toMatchObject({ want: { vcpus: undefined, memoryMiB: undefined, name: 'web' } })
  })

  test('a password is known by its Secret alone', () => {
    const object = vm({ passwordSecretRef: { name: 'pw', key: 'password' } })
    const secret = () => ({ uid: 's', version: '2' })
    expect(creation(object, {}, { secret })).toMatchObject({ password: { uid: 's', version: '2' } })
  })

  test('a free disk is booted from', () => {
    const object = from('system')
    expect(creation(object, { 'spec.source.diskRef': ready('d', disk()) })).toMatchObject({
      from: { diskID: 'd' },
    })
  })

  test('what exists is not made', () => {
    expect(creation(vm({}, { id: 'vm' }))).toBeUndefined()
    expect(creation(vm({ adopt: { id: 'vm' } }))).toBeUndefined()
  })
})

function from(name: string): CloudVM {
  return {
    ...resource('CloudVM', 'web'),
    spec: { vcpus: 2, memoryMiB: 2048, source: { diskRef: { name } } },
  }
}

const SIZE = { vcpus: 2, memoryMiB: 2048 }

function sourced(source: VmSpec['source'] & {}, more: Partial<VmSpec> = {}, size: Partial<VmSpec> = SIZE) {
  return { ...resource('CloudVM', 'web'), spec: { ...size, ...more, source } }
}

function snapshot(status: CloudSnapshot['status'] = { vm: { id: 'vm-1' } }): Record<string, LinkState> {
  const object = { ...resource('CloudSnapshot', 's'), spec: {}, status: { location: 'jkt01', ...status } }
  return { 'spec.source.snapshotRef': ready('r-1', object) }
}

const original = (status: VmStatus) => ({ 'spec.source.vmRef': ready('vm-1', vm({}, status)) })
const cloned = (more: Partial<VmSpec> = {}) => sourced({ vmRef: { name: 'original' } }, more)

const leaving: LinkState = { state: 'leaving', object: resource('CloudNetwork', 'back') as CloudResource }
const missing: LinkState = {
  state: 'waiting',
  message: 'spec.networkRef: CloudNetwork back does not exist yet',
}
const held: readonly (readonly [string, CloudVM, Readonly<Record<string, LinkState>>, string])[] = [
  [
    'a network that is not there yet is waited for',
    vm({ networkRef: { name: 'back' } }),
    { 'spec.networkRef': missing },
    'WaitingForDependency',
  ],
  [
    'a network that is being deleted is not used',
    vm({ networkRef: { name: 'back' } }),
    { 'spec.networkRef': leaving },
    'WaitingForDependency',
  ],
  [
    'a network of another user cannot be used',
    vm({ networkRef: { name: 'back' } }),
    {
      'spec.networkRef': ready('net', {
        ...resource('CloudNetwork', 'back'),
        spec: {},
        status: { account: { endpoint: 'https://cloud.example', userID: 8 } },
      }),
    },
    'ReferenceInvalid',
  ],
  ['a disk to boot from is waited for', from('system'), {}, 'WaitingForDependency'],
  [
    'a disk that is still attached is waited for',
    from('system'),
    { 'spec.source.diskRef': ready('d', disk({}, { attachedTo: { id: 'other' } })) },
    'WaitingForDependency',
  ],
  [
    'a disk with a machine of its own is not booted from',
    from('system'),
    { 'spec.source.diskRef': ready('d', disk({ vmRef: { name: 'other' } })) },
    'ReferenceInvalid',
  ],
  [
    'a disk in another location is not booted from',
    from('system'),
    { 'spec.source.diskRef': ready('d', disk({}, { location: 'sgp01' })) },
    'ReferenceInvalid',
  ],
  [
    'a snapshot in another location cannot be used',
    sourced({ snapshotRef: { name: 's' } }),
    snapshot({ vm: { id: 'vm-1' }, location: 'sgp01' }),
    'ReferenceInvalid',
  ],
  [
    'a snapshot that does not show its machine is waited for',
    sourced({ snapshotRef: { name: 's' } }),
    snapshot({}),
    'WaitingForDependency',
  ],
  ['a machine to clone is waited for', cloned(), {}, 'WaitingForDependency'],
  [
    'a machine that is being deleted is not cloned',
    cloned(),
    { 'spec.source.vmRef': leaving },
    'WaitingForDependency',
  ],
  [
    'a machine in another location is not cloned',
    cloned(),
    original({ location: 'sgp01' }),
    'ReferenceInvalid',
  ],
  [
    'a machine with an open change is cloned after it',
    cloned(),
    original({ operation: { id: 'o', verb: 'stop', issuedAt: '' } }),
    'WaitingForDependency',
  ],
  [
    'a machine that is off for a change of size is cloned after it',
    cloned(),
    original({ resize: { target: { vcpus: 1, memoryMiB: 1 }, wasRunning: true } }),
    'WaitingForDependency',
  ],
  ['a machine is no clone of itself', sourced({ vmRef: { name: 'web' } }), {}, 'InvalidSpec'],
  [
    'a clone has no network of its own',
    cloned({ networkRef: { name: 'back' } }),
    original({}),
    'InvalidSpec',
  ],
  [
    'a clone is charged as its original is',
    cloned({ billingAccount: 2 }),
    original({ billingAccount: 1 }),
    'InvalidSpec',
  ],
  [
    'a Secret that is not there yet is waited for',
    vm({ passwordSecretRef: { name: 'pw', key: 'password' } }),
    {},
    'WaitingForDependency',
  ],
]

describe('what keeps a new machine from being made', () => {
  for (const [sentence, object, links, reason] of held) {
    test(sentence, () => {
      const made = wish(object, links)
      expect(
        made.is === 'waiting' ? made.wait.reason : made.is === 'blocked' ? made.block.reason : 'made',
      ).toBe(reason)
    })
  }

  test('nothing of it matters once the machine exists', () => {
    expect(wish(vm({ networkRef: { name: 'back' } }, { id: 'vm' })).is).toBe('ready')
  })
})

test('a machine taken over keeps its name unless the spec has one', () => {
  expect(wish(vm({ adopt: { id: 'vm' } }))).toMatchObject({ want: { name: undefined } })
  expect(wish(vm({ adopt: { id: 'vm' }, name: 'shop' }))).toMatchObject({ want: { name: 'shop' } })
})

describe('what holds the deletion of a machine', () => {
  const [dependant] = vmKind.heldBy ?? []
  const deleted = (object: CloudDisk): CloudDisk => ({
    ...object,
    metadata: { ...object.metadata, deletionTimestamp: '2026-01-02T00:00:00Z' },
  })

  test('the disk it boots from', () => {
    expect(dependant?.named?.(from('system'))).toBe('system')
    expect(dependant?.holds(disk(), from('system'), () => false)).toBe(true)
  })

  test('not once that disk is being deleted too', () => {
    expect(dependant?.holds(deleted(disk()), from('system'), () => false)).toBe(false)
  })

  test('but also then when that disk is to be kept: it would go with the machine', () => {
    expect(dependant?.holds(deleted(disk()), from('system'), () => true)).toBe(true)
  })

  const running = (boots: string, spec: object = {}) =>
    vm(spec, { id: 'vm', disks: [{ id: boots, primary: true }] })
  const source = { source: { diskRef: { name: 'system' } } }

  test('by the cloud id, whatever its name: one that took over the boot disk, not another one of the name', () => {
    const guard = { ...disk({}, { id: 'disk-9' }), metadata: { ...disk().metadata, name: 'guard' } }
    expect(dependant?.related?.(running('disk-9')).map(([index]) => index)).toEqual(['cloudID', 'adopts'])
    expect(dependant?.holds(guard, running('disk-9'), () => false)).toBe(true)
    expect(dependant?.holds(disk({}, { id: 'disk-9' }), running('disk-1', source), () => false)).toBe(false)
  })

  test('by its spec where its status is lost', () => {
    expect(dependant?.holds(disk({ adopt: { id: 'disk-9' } }, {}), running('disk-9'), () => false)).toBe(true)
  })

  test('a disk that had an object of its own, and has none any more, is told', () => {
    const others = [disk({}, { id: 'disk-2' })]
    expect(dependant?.missing?.(running('disk-9', source), others)).toContain('disk-9')
    expect(dependant?.missing?.(running('disk-2', source), others)).toBeUndefined()
    expect(dependant?.missing?.(running('disk-9'), others)).toBeUndefined()
  })

  test('not a disk that is merely attached', () => {
    expect(dependant?.holds(disk({ vmRef: { name: 'web' } }), vm(), () => false)).toBe(false)
  })
})
