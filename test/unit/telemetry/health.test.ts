import { afterEach, describe, expect, test } from 'vitest'
import { watchEventLoopDelay } from '../../../src/telemetry/eventloop.ts'
import { startHealth, type Health, type HealthOptions } from '../../../src/telemetry/health.ts'
import { silentLog } from '../../../src/telemetry/log.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const open: Health[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((health) => health.close()))
})

async function setUp(more: Partial<HealthOptions> = {}) {
  const metrics = createMetrics()
  const clock = createManualClock()
  const health = await startHealth({ port: 0, host: '127.0.0.1', metrics, clock, log: silentLog, ...more })
  open.push(health)
  const get = async (path: string, port = health.port, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
    return {
      status: response.status,
      body: await response.text(),
      type: response.headers.get('content-type'),
    }
  }
  return { health, metrics, clock, get }
}

describe('checks', () => {
  test('ready when every check is, with the reasons in the body when not', async () => {
    const { health, get } = await setUp()
    expect(await get('/readyz')).toMatchObject({ status: 200, body: 'ok\n' })
    let problem: string | undefined = 'the first list is not in yet'
    health.ready('cloudvms.cloud-operator.dev', () => problem)
    const remove = health.ready('lease', () => undefined)
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      body: 'failed cloudvms.cloud-operator.dev: the first list is not in yet\nok lease\nfailed\n',
    })
    problem = undefined
    expect((await get('/readyz')).status).toBe(200)
    remove()
    expect((await get('/readyz')).body).toBe('ok cloudvms.cloud-operator.dev\nok\n')
  })

  test('what is not ready may well be alive', async () => {
    const { health, get } = await setUp()
    health.ready('x', () => 'no')
    expect(await get('/healthz')).toMatchObject({ status: 200, body: 'ok event-loop\nok\n' })
    health.live('y', () => 'stuck')
    expect(await get('/healthz')).toMatchObject({
      status: 503,
      body: 'ok event-loop\nfailed y: stuck\nfailed\n',
    })
  })
})

describe('metrics', () => {
  test('are served beside the checks, or on a port of their own alone', async () => {
    const beside = await setUp()
    expect(await beside.get('/metrics')).toMatchObject({ status: 200 })
    const apart = await setUp({ metricsPort: 0 })
    expect(apart.health.metricsPort).not.toBe(apart.health.port)
    expect((await apart.get('/metrics')).status).toBe(404)
    expect((await apart.get('/metrics', apart.health.metricsPort)).status).toBe(200)
    expect((await apart.get('/readyz', apart.health.metricsPort)).status).toBe(404)
  })

  test('all of them', async () => {
    const { metrics, get } = await setUp()
    metrics.reconciled('CloudVM', 'done', 0.2)
    metrics.watchQueue('CloudVM', () => ({ ready: 3, delayed: 2, running: 1 }))
    metrics.kubeRequest('get', 'secrets', 'ok', 0.01)
    metrics.cloudRequest('POST', 'vm', 'unclear', 33)
    metrics.watchRestarted('cloudvms', 'silence')
    metrics.watchSynced('cloudvms', true)
    metrics.leader(true)
    metrics.eventDropped('queueFull')
    metrics.gauge('orphans', 'Objects without an owner', ['kind'])({ kind: 'vm' }, 4)
    metrics.counter('lookups_total', 'Looks', ['kind'])({ kind: 'vm' })
    const { body, type } = await get('/metrics')
    expect(type).toContain('text/plain')
    for (const line of [
      'cloud_operator_reconcile_total{kind="CloudVM",outcome="done"} 1',
      'cloud_operator_reconcile_seconds_sum{kind="CloudVM"} 0.2',
      'cloud_operator_queue_depth{kind="CloudVM",state="ready"} 3',
      'cloud_operator_queue_depth{kind="CloudVM",state="running"} 1',
      'cloud_operator_kube_requests_total{verb="get",resource="secrets",outcome="ok"} 1',
      'cloud_operator_cloud_requests_total{verb="POST",family="vm",outcome="unclear"} 1',
      'cloud_operator_watch_restarts_total{resource="cloudvms",reason="silence"} 1',
      'cloud_operator_watch_synced{resource="cloudvms"} 1',
      'cloud_operator_leader 1',
      'cloud_operator_events_dropped_total{reason="queueFull"} 1',
      'cloud_operator_orphans{kind="vm"} 4',
      'cloud_operator_lookups_total{kind="vm"} 1',
      'cloud_operator_event_loop_delay_seconds 0',
    ]) {
      expect(body).toContain(`${line}\n`)
    }
  })

  test('two processes in one do not share them', async () => {
    const [one, two] = [createMetrics(), createMetrics()]
    one.leader(true)
    expect(await two.text()).toContain('cloud_operator_leader 0\n')
  })
})

test('anything else is refused', async () => {
  const { get, health } = await setUp()
  expect((await get('/')).status).toBe(404)
  expect((await get('/readyz?verbose')).status).toBe(200)
  expect((await get('/readyz', health.port, 'POST')).status).toBe(405)
})

test('a port that is taken is an error, and nothing is left listening', async () => {
  const { health } = await setUp()
  await expect(setUp({ port: 0, metricsPort: health.port })).rejects.toThrow('EADDRINUSE')
})

test('a blocked event loop is seen, in the window after it', async () => {
  const clock = createManualClock()
  const delay = watchEventLoopDelay(clock)
  await new Promise((resolve) => setTimeout(resolve, 30))
  const until = performance.now() + 500
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(delay.worstMs()).toBe(0)
  await clock.advance(10_000)
  expect(delay.worstMs()).toBeGreaterThan(300)
  expect(delay.worstMs()).toBeLessThan(15_000)
  await clock.advance(10_000)
  expect(delay.worstMs()).toBeLessThan(300)
  delay.close()
  expect(clock.pending()).toBe(0)
})
