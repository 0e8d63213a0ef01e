import { afterEach, expect, test, vi } from 'vitest'
import { startControlPlane } from '../../controlplane/start.ts'
import { manifest } from '../kubectl.ts'
import { startStory } from '../story.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

test('the API server gone: the operator reconnects by itself', async () => {
  const plane = await startControlPlane({ auditLog: true })
  stops.push(() => plane.stop())
  const story = await startStory('api-gone', { plane: { ...plane, auditLog: plane.auditLog ?? '' } })
  stops.push(() => story.end())
  await story.apply(manifest('CloudNetwork', 'before', {}))
  await story.ready('cloudnetwork', 'before')
  await plane.stopApiServer('SIGKILL')
  // An intent of the cloud's side goes on meanwhile: reads only, nothing is written.
  await plane.startApiServer()
  await vi.waitFor(() => story.apply(manifest('CloudNetwork', 'after', {})), {
    timeout: 60_000,
    interval: 500,
  })
  await story.ready('cloudnetwork', 'after')
  await story.edit('cloudnetwork', 'before', { spec: { name: 'renamed' } })
  await story.ready('cloudnetwork', 'before')
  expect(story.operator.process.exitCode).toBe(null)
})
