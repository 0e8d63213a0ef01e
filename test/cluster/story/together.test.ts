import { afterAll, describe, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { startStory, type Story } from '../story.ts'
import { endOrderly, lastCall, loadBalancerLetGo, madeSince, SIX, sixReady, theSix } from './six.ts'

/** The six and, after them, the account that they all name. */
async function applyAllAtOnce(story: Story): Promise<void> {
  const account = await story.get('cloudaccount', 'default')
  const spec = { accountRef: { name: 'late' } }
  await story.apply(...theSix(story, spec), manifest('CloudAccount', 'late', account?.spec))
}

async function deleteAll(story: Story): Promise<void> {
  const kinds = SIX.map(([kind]) => kind).toReversed()
  await story.run('delete', kinds.join(','), '--all', '--wait=false')
}

describe.each(['extended', 'documented'] as const)('a service as %s', (profile) => {
  let story: Story
  afterAll(() => endOrderly(story))

  test('six kinds and their account, applied in one file in the worst order, become Ready', async () => {
    story = await startStory('together', { profile })
    const { control } = story.simulator
    const before = control.inventory()
    const since = lastCall(story)
    await applyAllAtOnce(story)
    const six = await sixReady(story)

    const vmID = six.cloudvm.status?.['id']
    expect(six.clouddisk.status?.['attachedTo']).toEqual({ id: vmID, name: 'web' })
    expect(six.cloudfloatingip.status?.['assignedTo']).toEqual({ kind: 'CloudVM', id: vmID, name: 'web' })
    expect(six.cloudloadbalancer.status?.['targets']).toMatchObject([{ id: vmID, name: 'web' }])
    expect(madeSince(story, since)).toEqual({
      network: 1,
      vm: 1,
      disk: 2, // the machine's own and the data disk
      bucket: 1,
      'floating ip': 1,
      'load balancer': 1,
    })
    const cloud = control.inventory()
    expect(cloud.vms.map((each) => each['uuid'])).toEqual([vmID])
    expect(cloud.networks.find((each) => each['uuid'] === six.cloudnetwork.status?.['id'])?.['vms']).toEqual([
      vmID,
    ])

    await deleteAll(story)
    await loadBalancerLetGo(story)
    for (const [kind, name] of SIX) await story.gone(kind, name)
    expect(control.inventory()).toEqual(before)
  }, 240_000)
})
