/** Edits and deletions that the API server itself refuses, with words that say what to do instead. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { startStory, type Story } from '../story.ts'
import { changes, endOrderly, lastCall, SMALL_VM, sixReady, theSix } from './six.ts'

let story: Story
beforeAll(async () => {
  story = await startStory('refusals')
  await story.apply(...theSix(story))
  await sixReady(story)
})
afterAll(() => endOrderly(story))

const refusedEdit = (kind: string, name: string, spec: object) =>
  story.refused(['patch', kind, name, '--type=merge', `--patch=${JSON.stringify({ spec })}`])

test.each([
  ['cloudvm', 'web', { image: { version: '22.04' } }, 'image is immutable', /make a new|source/],
  ['cloudvm', 'web', { networkRef: { name: 'other' } }, 'networkRef is immutable', /new CloudVM/],
  ['cloudvm', 'web', { networkRef: null }, 'networkRef is immutable', /new CloudVM/],
  ['cloudvm', 'web', { username: 'other' }, 'username is immutable', /./],
  [
    'cloudvm',
    'web',
    { location: 'sgp01' },
    'location is immutable',
    /make a new object beside this one, or set it back/,
  ],
  ['cloudvm', 'web', { bootDisk: { sizeGiB: 10 } }, 'bootDisk.sizeGiB can only grow, 20 GiB exist', /./],
  [
    'clouddisk',
    'data',
    { sizeGiB: 10 },
    'sizeGiB can only grow, 30 GiB exist',
    /make a smaller CloudDisk and copy the data/,
  ],
  [
    'clouddisk',
    'data',
    { source: { diskRef: { name: 'x' } } },
    'source is immutable',
    /make a new CloudDisk/,
  ],
  ['cloudbucket', 'assets', { bucketName: 'another-name' }, 'bucketName is immutable', /./],
  ['cloudnetwork', 'front', { accountRef: { name: 'other' } }, 'accountRef is immutable', /./],
  [
    'cloudnetwork',
    'front',
    { adopt: { id: 'x' } },
    'adopt is immutable',
    /onDelete Retain and make a new one/,
  ],
  ['cloudfloatingip', 'public', { location: 'sgp01' }, 'location is immutable', /./],
  [
    'cloudloadbalancer',
    'entry',
    { networkRef: null },
    'networkRef is immutable',
    /make a new CloudLoadBalancer/,
  ],
  ['cloudloadbalancer', 'entry', { publicIP: 'Reserve' }, 'publicIP is immutable', /use a CloudFloatingIP/],
] as const)('%s %s %j: %s', async (kind, name, spec, says, instead) => {
  const since = lastCall(story)
  const complaint = await refusedEdit(kind, name, spec)
  expect(complaint).toContain(says)
  expect(complaint).toMatch(instead)
  expect(complaint).toContain('spec.')
  expect(changes(story, since)).toEqual([])
})

test('none of these edits has done anything', async () => {
  await sixReady(story)
})

test('a frozen field can be corrected while nothing has been made', async () => {
  const spec = { ...SMALL_VM, image: { os: 'ubuntoo', version: '24.04' }, networkRef: { name: 'front' } }
  await story.apply(manifest('CloudVM', 'typo', spec))
  await story.reason('cloudvm', 'typo', 'InvalidSpec')
  await story.apply(manifest('CloudVM', 'typo', { ...spec, image: SMALL_VM.image, username: 'other' }))
  await story.ready('cloudvm', 'typo')
  expect(await refusedEdit('cloudvm', 'typo', { image: { os: 'debian' } })).toContain('image is immutable')
})

test('protection: no DELETE until it is lifted', async () => {
  const protect = (protection: string) =>
    story.edit('cloudbucket', 'assets', { spec: { lifecycle: { protection } } })
  await protect('Deletion')
  await story.ready('cloudbucket', 'assets')
  const complaint = await story.refused(['delete', 'cloudbucket', 'assets', '--wait=false'])
  expect(complaint).toContain(
    `CloudBucket ${story.namespace}/assets is protected: set spec.lifecycle.protection to None first`,
  )
  expect((await story.get('cloudbucket', 'assets'))?.metadata.deletionTimestamp).toBeUndefined()
  await protect('None')
  await story.run('delete', 'cloudbucket', 'assets', '--wait=false')
  await story.gone('cloudbucket', 'assets')
})

test('what the schema knows to be wrong never gets in', async () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    [
      manifest('CloudVM', 'x', { ...SMALL_VM, source: { diskRef: { name: 'd' } } }),
      /exactly one of image and source/,
    ],
    [manifest('CloudVM', 'x', { ...SMALL_VM, vcpus: 0 }), /vcpus/],
    [manifest('CloudDisk', 'x', {}), /sizeGiB is required unless adopting/],
    [manifest('CloudBucket', 'x', { bucketName: 'Upper' }), /bucketName/],
    [manifest('CloudNetwork', 'x', { default: false }), /default/],
    [
      manifest('CloudFloatingIP', 'x', { vmRef: { name: 'a' }, loadBalancerRef: { name: 'b' } }),
      /vmRef and loadBalancerRef|loadBalancerRef and vmRef/,
    ],
    [manifest('CloudLoadBalancer', 'x', { rules: [] }), /rules/],
  ]
  for (const [text, complaint] of wrong) {
    expect(await story.refused(['apply', '-f', '-'], text)).toMatch(complaint)
  }
  const unknown = await story.refused(['create', '-f', '-'], manifest('CloudNetwork', 'x', { nmae: 'typo' }))
  expect(unknown).toContain('unknown field "spec.nmae"')
})
