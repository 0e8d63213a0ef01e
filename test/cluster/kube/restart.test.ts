import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../src/loop/clock.ts'
import { isKubeError } from '../../../src/kube/errors.ts'
import { startLease } from '../../../src/kube/lease.ts'
import { startReflector } from '../../../src/kube/reflector.ts'
import { Store } from '../../../src/kube/store.ts'
import { silentLog } from '../../../src/telemetry/log.ts'
import { startControlPlane, type ControlPlane } from '../../controlplane/start.ts'
import {
  connect,
  createWidget,
  eventually,
  install,
  remove,
  widgetType,
  type Connection,
  type Widget,
} from './cluster.ts'

let plane: ControlPlane
let admin: Connection
const type = widgetType()

beforeAll(async () => {
  plane = await startControlPlane()
  admin = connect(plane.adminKubeconfig)
  await install(admin, type)
})
afterAll(async () => {
  await admin.client.close()
  await plane.stop()
})

test('the API server goes and comes back: errors are of the right class, the store catches up, nothing stops', async () => {
  const stop = new AbortController()
  const store = new Store<Widget>()
  const common = { ...admin, clock: systemClock, log: silentLog }
  const durations = { backoffMs: 50, backoffMaxMs: 500 }
  const reflector = startReflector({ ...common, type, store, durations, signal: stop.signal })
  await eventually(() => store.synced)
  const before = await createWidget(admin, type, 'default', 'before')
  const gone = await createWidget(admin, type, 'default', 'gone')
  await eventually(() => store.size === 2)

  await plane.stopApiServer('SIGKILL')
  await eventually(() => reflector.problem() !== undefined)
  const away: unknown = await admin.client
    .putStatus(type, before, { seen: 1 })
    .catch((error: unknown) => error)
  expect(isKubeError(away, 'notSent')).toBe(true)
  expect([...store.list()]).toHaveLength(2)

  await plane.startApiServer()
  await eventually(async () => {
    await remove(admin, type, gone)
    return true
  })
  await createWidget(admin, type, 'default', 'after')
  await eventually(() => store.get('default/after') !== undefined && store.get('default/gone') === undefined)
  const written = await admin.client.putStatus<Widget>(type, before, { seen: 2 })
  await eventually(() => store.atLeast(written.metadata.resourceVersion))
  expect(store.get('default/before')?.status).toEqual({ seen: 2 })
  expect(reflector.problem()).toBeUndefined()
  expect(store.epoch).toBe(0)
  stop.abort()
  await reflector.stopped
})

test('the holder of a lease loses it when the API server is away for longer than its time to renew, and says so once', async () => {
  const lost: string[] = []
  let gained = false
  const lease = startLease({
    send: admin.transport.dedicated(),
    namespace: 'default',
    name: 'away',
    identity: 'one',
    durations: { leaseMs: 3_000, renewMs: 1_500, retryMs: 100 },
    clock: systemClock,
    log: silentLog,
    onGained: () => (gained = true),
    onLost: (reason) => lost.push(reason),
  })
  await eventually(() => gained)
  expect(lease.held()).toBe(true)
  await plane.stopApiServer('SIGKILL')
  const stoppedAt = systemClock.monotonic()
  await eventually(() => lost.length > 0)
  expect(systemClock.monotonic() - stoppedAt).toBeLessThan(2_500)
  expect(lease.held()).toBe(false)
  await plane.startApiServer()
  expect(lost).toEqual(['it was not renewed for 1.5 s'])
  expect(lease.held()).toBe(false)
})
