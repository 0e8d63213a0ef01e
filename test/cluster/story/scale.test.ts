import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { operatorWrites } from '../audit.ts'
import { manifest, succeeded } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'

const COUNTS = { CloudNetwork: 250, CloudBucket: 400, CloudVM: 200, CloudFloatingIP: 150 } as const
const TOTAL = Object.values(COUNTS).reduce((sum, each) => sum + each, 0)
/** The list calls of an interval: VMs, disks, floating IPs, networks, buckets, load balancers. */
const FAMILIES = 6

let story: Story
beforeAll(async () => void (story = await startStory('scale', { syncIntervalSeconds: 30 })), 60_000)
afterAll(() => story.end())

test('a thousand settled objects: a restart and ten intervals at rest cost lists only', async () => {
  const { control } = story.simulator
  succeeded(await story.kubectl(['create', '-f', '-'], objects().join('\n---\n')))
  await vi.waitFor(async () => expect(await readyCount()).toBe(TOTAL), { timeout: 240_000, interval: 2_000 })
  await quiet()
  const madeOnce = control.calls({ mutationsOnly: true }).length
  // Each create once, and each address assigned once.
  expect(madeOnce).toBe(TOTAL + COUNTS.CloudFloatingIP)

  await story.operator.stop('SIGTERM')
  const restartedAt = Date.now()
  const before = control.calls().length
  story.operator = await story.start()
  await vi.waitFor(() => expect(intervals(before)).toBeGreaterThanOrEqual(11), {
    timeout: 120_000,
    interval: 500,
  })
  const calls = control.calls().slice(before)

  expect(story.operator.lines.filter((each) => each.includes('writing status'))).toEqual([])
  expect(await operatorWrites(inject('controlPlane').auditLog, story.namespace, restartedAt)).toEqual([])
  expect(calls.filter((each) => each.method !== 'GET')).toEqual([])
  const perObject = calls.filter((each) => !isListOrAccount(each.path, each.query))
  expect(perObject.map((each) => each.path)).toEqual([])
  // The account's own reads at the start, then a handful of lists for each interval.
  expect(calls.length).toBeLessThanOrEqual(20 + FAMILIES * (intervals(before) + 1))
  expect(await readyCount()).toBe(TOTAL)
}, 480_000)

function objects(): string[] {
  const of = (kind: keyof typeof COUNTS, spec: (index: number) => unknown) =>
    Array.from({ length: COUNTS[kind] }, (_, index) => manifest(kind, `n${index}`, spec(index)))
  return [
    ...of('CloudNetwork', () => ({})),
    ...of('CloudBucket', (index) => ({ bucketName: `${story.namespace}-${index}` })),
    ...of('CloudVM', () => ({
      image: { os: 'ubuntu', version: '24.04' },
      vcpus: 1,
      memoryMiB: 1024,
      bootDisk: { sizeGiB: 20 },
      networkRef: { name: 'n0' },
    })),
    ...of('CloudFloatingIP', (index) => ({ vmRef: { name: `n${index}` } })),
  ]
}

async function readyCount(): Promise<number> {
  const kinds = Object.keys(COUNTS).map((kind) => kind.toLowerCase())
  const text = await story.run('get', kinds.join(','), '-o', 'json')
  const { items } = JSON.parse(text) as { items: AnyObject[] }
  return items.filter(
    (each) => conditionOf(each, 'Synced')?.status === 'True' && conditionOf(each, 'Ready')?.status === 'True',
  ).length
}

/** Waits until nothing of the operator's has been written for two intervals. */
async function quiet(): Promise<void> {
  const { auditLog } = inject('controlPlane')
  await vi.waitFor(
    async () => expect(await operatorWrites(auditLog, story.namespace, Date.now() - 7_000)).toEqual([]),
    { timeout: 60_000, interval: 500 },
  )
}

/** Sync intervals since the call number `from`, told by the lists of VMs. */
function intervals(from: number): number {
  return story.simulator.control
    .calls()
    .slice(from)
    .filter((each) => each.path.endsWith('/vm/list')).length
}

function isListOrAccount(path: string, query: unknown): boolean {
  const lists = [
    '/vm/list',
    '/storage/disks',
    '/network/ip_addresses',
    '/network/networks',
    '/storage/bucket/list',
    '/network/load_balancers',
  ]
  const account = [
    '/user-resource/user',
    '/config/locations',
    '/host_pool/list',
    '/storage/api/s3',
    '/storage/user/keys',
  ]
  return (
    [...lists, ...account].some((end) => path.endsWith(end)) &&
    Object.keys(query ?? {}).every((key) => key !== 'uuid')
  )
}
