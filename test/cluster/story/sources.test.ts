/** What a machine is made from besides an image, and what its guest is told: disks, snapshots, documents, pools, and words of the service that are wrong. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { cloudRow, idOf, sent } from './calls.ts'
import { changes, endOrderly, lastCall, SMALL_VM } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('sources')))
afterAll(() => endOrderly(story))

const message = (object: AnyObject) => conditionOf(object, 'Ready')?.message
const SIZE = { vcpus: 1, memoryMiB: 1024 }
const creates = (since: number) => sent(story, since).filter(([call]) => call === 'POST /user-resource/vm')

async function fails(name: string, reason: string): Promise<string> {
  return message(await story.reason('cloudvm', name, reason)) ?? ''
}

test('from a disk: it waits for it, boots from it, and the disk grows by its own size', async () => {
  const since = lastCall(story)
  await story.apply(manifest('CloudVM', 'booted', { ...SIZE, source: { diskRef: { name: 'root' } } }))
  expect(await fails('booted', 'WaitingForDependency')).toMatch(/^spec\.source\.diskRef: CloudDisk root/)
  const image = { os: 'debian', version: '12' }
  await story.apply(manifest('CloudDisk', 'root', { sizeGiB: 10, source: { image } }))
  const vm = await story.ready('cloudvm', 'booted')
  const disk = await story.ready('clouddisk', 'root')
  expect(creates(since)).toMatchObject([['POST /user-resource/vm', { disk_uuid: idOf(disk) }]])
  expect(creates(since)[0]?.[1]).not.toHaveProperty('disks')
  expect(cloudRow(story, 'vms', idOf(vm))?.['storage']).toEqual([idOf(disk)])

  await story.edit('clouddisk', 'root', { spec: { sizeGiB: 15 } })
  await story.ready('clouddisk', 'root')
  expect(cloudRow(story, 'disks', idOf(disk))).toMatchObject({ sizeGib: 15, attachedTo: idOf(vm) })
  await story.edit('clouddisk', 'root', { spec: { vmRef: { name: 'booted' } } })
  expect(message(await story.reason('clouddisk', 'root', 'ReferenceInvalid'))).toContain(
    'boots from this disk',
  )
  await story.edit('clouddisk', 'root', { spec: { vmRef: null } })
  await story.ready('clouddisk', 'root')
  expect(
    await story.refused([
      'patch',
      'cloudvm',
      'booted',
      '--type=merge',
      `--patch=${JSON.stringify({ spec: { bootDisk: { sizeGiB: 40 } } })}`,
    ]),
  ).toContain('bootDisk is refused with source.diskRef')
})

test('from a snapshot: it waits for it, has its content and its own sizes, and the machine it is of is as it was', async () => {
  await story.apply(
    manifest('CloudVM', 'restored', {
      vcpus: 2,
      memoryMiB: 2048,
      bootDisk: { sizeGiB: 30 },
      source: { snapshotRef: { name: 'monday' } },
    }),
  )
  expect(await fails('restored', 'WaitingForDependency')).toMatch(/^spec\.source\.snapshotRef: /)
  await story.apply(
    manifest('CloudVM', 'source', SMALL_VM),
    manifest('CloudSnapshot', 'monday', { vmRef: { name: 'source' } }),
  )
  const source = idOf(await story.ready('cloudvm', 'source'))
  const snapshot = await story.ready('cloudsnapshot', 'monday')
  const before = cloudRow(story, 'vms', source)
  const restored = idOf(await story.ready('cloudvm', 'restored'))
  expect(cloudRow(story, 'vms', source)).toEqual(before)
  expect(cloudRow(story, 'vms', restored)).toMatchObject({ vcpu: 2, memoryMib: 2048, osName: 'ubuntu' })
  const disk = (await story.get('cloudvm', 'restored'))?.status
  expect(disk).toMatchObject({ bootDiskGiB: 30 })
  const made = sent(story).filter(([, sent]) => sent['source_replica'] === idOf(snapshot))
  expect(made).toMatchObject([['POST /user-resource/vm', { source_uuid: source }]])
  const [, parameters = {}] = made[0] ?? []
  for (const name of ['disks', 'os_name', 'os_version']) expect(parameters).not.toHaveProperty(name)
})

const DOCUMENT =
  '#cloud-config\nwrite_files:\n- path: /etc/secret\n  content: hunter22-in-a-file\nruncmd:\n- [uptime]\n'
const AS_SENT =
  '{"write_files":[{"path":"/etc/secret","content":"hunter22-in-a-file"}],"runcmd":[["uptime"]]}'

test('cloud-init from a Secret and from a ConfigMap: waited for, sent as JSON, and shown nowhere', async () => {
  const key = { name: 'init', key: 'user-data' }
  await story.apply(
    manifest('CloudVM', 'secretly', { ...SMALL_VM, cloudInit: { secretRef: key } }),
    manifest('CloudVM', 'openly', { ...SMALL_VM, cloudInit: { configMapRef: key } }),
  )
  expect(await fails('secretly', 'WaitingForDependency')).toMatch(
    /^spec\.cloudInit\.secretRef: Secret init does not exist in namespace/,
  )
  expect(await fails('openly', 'WaitingForDependency')).toMatch(
    /^spec\.cloudInit\.configMapRef: ConfigMap init does not exist in namespace/,
  )
  await story.run('create', 'configmap', 'init', '--from-literal=other=x')
  expect(await fails('openly', 'ReferenceInvalid')).toContain('ConfigMap init has no key user-data')
  const data = { data: { 'user-data': DOCUMENT } }
  await story.edit('configmap', 'init', data)
  await story.run('create', 'secret', 'generic', 'init', `--from-literal=user-data=${DOCUMENT}`)
  for (const name of ['secretly', 'openly']) {
    const id = idOf(await story.ready('cloudvm', name))
    expect(cloudRow(story, 'vms', id)).toMatchObject({ cloudInit: AS_SENT })
  }
  // Once made, what it was made with may go.
  await story.run('delete', 'secret,configmap', 'init')
  await story.edit('cloudvm', 'secretly', { spec: { name: 'other' } })
  await story.ready('cloudvm', 'secretly')
  const everything = await story.run('get', 'cloud,events', '-o', 'yaml')
  expect(everything).not.toContain('hunter22')
  expect(story.operator.lines.join('\n')).not.toContain('hunter22')
})

test('a document with more than the service supports is not sent; the key at fault is named, the right one heals it', async () => {
  const since = lastCall(story)
  await story.run('create', 'configmap', 'more', '--from-literal=x=packages: [hunter22-package]')
  const cloudInit = { configMapRef: { name: 'more', key: 'x' } }
  await story.apply(manifest('CloudVM', 'more', { ...SMALL_VM, cloudInit }))
  const text = await fails('more', 'InvalidSpec')
  expect(text).toMatch(/^spec\.cloudInit\.configMapRef: the document has the key packages/)
  expect(text).not.toContain('hunter22')
  expect(changes(story, since)).toEqual([])
  await story.edit('configmap', 'more', { data: { x: 'runcmd: [uptime]' } })
  await story.ready('cloudvm', 'more')
})

test('a pool and an image that the service does not have: what it has is named, and an edit heals it', async () => {
  const since = lastCall(story)
  await story.apply(
    manifest('CloudVM', 'pooled', { ...SMALL_VM, pool: 'faster' }),
    manifest('CloudVM', 'aged', { ...SMALL_VM, image: { os: 'ubuntu', version: '4.10' } }),
  )
  expect(await fails('pooled', 'InvalidSpec')).toMatch(
    /^spec\.pool: .* has no pool faster; known: general, fast$/,
  )
  const image = await fails('aged', 'InvalidSpec')
  expect(image).toMatch(/^spec\.image: the service refused .*ubuntu_20\.04, ubuntu_22\.04, ubuntu_24\.04/)
  expect(image).toContain('correct the spec')
  await story.edit('cloudvm', 'pooled', { spec: { pool: 'fast' } })
  await story.edit('cloudvm', 'aged', { spec: { image: SMALL_VM.image } })
  expect((await story.ready('cloudvm', 'pooled')).status?.['pool']).toBe('fast')
  await story.ready('cloudvm', 'aged')
  expect(changes(story, since).filter((each) => each.includes('created vm'))).toHaveLength(2)
})
