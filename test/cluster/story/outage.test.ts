import { afterEach, expect, test, vi } from 'vitest'
import { startSimulator } from '../../../src/simulator/server.ts'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type Story } from '../story.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function stage(purpose: string, options: Parameters<typeof startStory>[1] = {}): Promise<Story> {
  const story = await startStory(purpose, options)
  stops.push(() => story.end())
  return story
}

test('the service down: Ready stays as last known, and everything goes on by itself afterwards', async () => {
  const story = await stage('service-down')
  await story.apply(manifest('CloudNetwork', 'kept', {}))
  const kept = await story.ready('cloudnetwork', 'kept')
  const state = story.simulator.control.dump()
  const port = Number(new URL(story.simulator.url).port)
  await story.simulator.stop()
  const unread = await story.until(
    'cloudnetwork',
    'kept',
    'Synced Unknown',
    (each) => conditionOf(each, 'Synced')?.status === 'Unknown',
  )
  expect(conditionOf(unread, 'Ready')).toMatchObject({ status: 'True', reason: 'Available' })
  expect(conditionOf(unread, 'Synced')).toMatchObject({ reason: 'CloudUnreachable' })
  await story.apply(manifest('CloudNetwork', 'late', {}))
  await story.until(
    'cloudnetwork',
    'late',
    'told that the service is away',
    (each) => conditionOf(each, 'Reconciling') !== undefined,
  )
  const back = await startSimulator({ port, profile: story.profile })
  stops.push(() => back.stop())
  back.control.load(state)
  await story.ready('cloudnetwork', 'late')
  expect((await story.ready('cloudnetwork', 'kept')).status?.['id']).toBe(kept.status?.['id'])
  expect(back.control.calls({ mutationsOnly: true }).filter((each) => each.method === 'POST')).toHaveLength(1)
})

test('the service wrong or lying: nothing is lost and nothing doubled', async () => {
  const story = await stage('service-lying')
  const { control } = story.simulator
  await story.apply(
    manifest('CloudNetwork', 'kept', {}),
    manifest('CloudBucket', 'files', { bucketName: `${story.namespace}-files` }),
  )
  const kept = await story.ready('cloudnetwork', 'kept')
  await story.ready('cloudbucket', 'files')
  const before = control.inventory()
  const lies = [
    { answer: { status: 500, raw: '<html>oops</html>', contentType: 'text/html' } },
    { answer: { status: 200, body: [] } },
    { answer: { status: 404, body: { message: 'no route and no API found with those values' } } },
    { answer: { status: 403, body: { message: 'Invalid authentication credentials' } } },
    { truncate: true },
    { reset: true },
  ] as const
  for (const action of lies) {
    for (const path of ['/network/networks', '/storage/bucket/list']) {
      control.addFault({ method: 'GET', path, times: 4, point: 'before', action })
    }
    const seen = control.calls().length
    await vi.waitFor(
      () =>
        expect(
          control
            .calls()
            .slice(seen)
            .filter((each) => each.path.endsWith('/network/networks')).length,
        ).toBeGreaterThan(2),
      { timeout: 60_000, interval: 200 },
    )
    control.clearFaults()
  }
  expect((await story.ready('cloudnetwork', 'kept')).status?.['id']).toBe(kept.status?.['id'])
  await story.ready('cloudbucket', 'files')
  expect(control.inventory()).toEqual(before)
})
