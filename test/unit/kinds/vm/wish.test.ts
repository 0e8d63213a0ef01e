import { describe, expect, test } from 'vitest'
import type { CloudDisk } from '../../../../src/api/disk.ts'
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
    expect(JSON.parse(creation(vm({ cloudInit }))?.cloudInit ?? '')).toEqual({
      write_files: [{ path: '/etc/motd', content: 'hello' }],
      runcmd: ['uptime'],
    })
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

const leaving: LinkState = { state: 'leaving' }
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

  test('not a disk that is merely attached', () => {
    expect(dependant?.named?.(vm())).toBeUndefined()
    expect(dependant?.holds(disk({ vmRef: { name: 'web' } }), vm(), () => false)).toBe(false)
  })
})
