import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { startStory, type Story } from '../story.ts'

let story: Story
beforeAll(async () => void (story = await startStory('together')))
afterAll(() => story.end())

const VM = {
  image: { os: 'ubuntu', version: '24.04' },
  vcpus: 1,
  memoryMiB: 1024,
  bootDisk: { sizeGiB: 20 },
  networkRef: { name: 'front' },
  username: 'admin',
  publicKey: 'ssh-ed25519 AAAA test',
}

test('objects applied in the worst order become Ready, and deleting all leaves the cloud as before', async () => {
  const before = story.simulator.control.inventory()
  await story.apply(
    manifest('CloudFloatingIP', 'public', { vmRef: { name: 'web' } }),
    manifest('CloudBucket', 'assets', { bucketName: `${story.namespace}-assets` }),
    manifest('CloudVM', 'web', VM),
    manifest('CloudNetwork', 'front', {}),
  )
  await story.ready('cloudfloatingip', 'public')
  await story.ready('cloudbucket', 'assets')
  await story.ready('cloudvm', 'web')
  await story.ready('cloudnetwork', 'front')
  await story.run('delete', 'cloudnetwork,cloudvm,cloudbucket,cloudfloatingip', '--all', '--wait=false')
  for (const [kind, name] of [
    ['cloudfloatingip', 'public'],
    ['cloudbucket', 'assets'],
    ['cloudvm', 'web'],
    ['cloudnetwork', 'front'],
  ] as const) {
    await story.gone(kind, name)
  }
  expect(story.simulator.control.inventory()).toEqual(before)
})
