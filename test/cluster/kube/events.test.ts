import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock, type Clock } from '../../../src/loop/clock.ts'
import { createEventRecorder } from '../../../src/kube/events.ts'
import type { KubeObject } from '../../../src/kube/object.ts'
import { createLog } from '../../../src/telemetry/log.ts'
import { createRedactor } from '../../../src/telemetry/redact.ts'
import {
  connectAdmin,
  createNamespace,
  createWidget,
  eventually,
  install,
  uniqueName,
  widgetType,
  type Widget,
} from './cluster.ts'

const admin = connectAdmin()
const type = widgetType()
const EVENTS = { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event' }
let namespace = ''

beforeAll(async () => {
  await install(admin, type)
  namespace = await createNamespace(admin)
})
afterAll(() => admin.client.close())

function recorder(clock: Clock = systemClock) {
  const lines: string[] = []
  const redactor = createRedactor()
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const events = createEventRecorder({
    client: admin.client,
    controller: 'cloud-operator.dev/operator',
    instance: 'test-1',
    clock,
    countMs: 60_000,
    log,
    redactor,
    metrics: admin.metrics,
  })
  return { events, lines, redactor }
}

async function eventsAbout(object: Widget): Promise<(KubeObject & Record<string, unknown>)[]> {
  const found: (KubeObject & Record<string, unknown>)[] = []
  for await (const page of admin.client.list(EVENTS, { namespace: object.metadata.namespace })) {
    for (const item of page.items as (KubeObject & Record<string, unknown>)[]) {
      if ((item['regarding'] as { uid?: string }).uid === object.metadata.uid) found.push(item)
    }
  }
  return found
}

const widget = (name = uniqueName('w')) => createWidget(admin, type, namespace, name)

test('a record becomes one Event about the object', async () => {
  const { events } = recorder()
  const object = await widget()
  events.record({
    object,
    type: 'Warning',
    reason: 'QuotaExceeded',
    action: 'Create',
    note: 'no room for 4 CPUs',
  })
  await events.flush()
  expect(await eventsAbout(object)).toMatchObject([
    {
      type: 'Warning',
      reason: 'QuotaExceeded',
      action: 'Create',
      note: 'no room for 4 CPUs',
      reportingController: 'cloud-operator.dev/operator',
      reportingInstance: 'test-1',
      regarding: { kind: 'Widget', name: object.metadata.name, namespace, uid: object.metadata.uid },
    },
  ])
})

test('equal records are one Event with a count, different ones are several', async () => {
  const { events } = recorder()
  const object = await widget()
  const record = { object, type: 'Normal', reason: 'Created', action: 'Create', note: 'made' } as const
  events.record(record)
  await events.flush()
  for (let n = 0; n < 9; n += 1) events.record(record)
  events.record({ ...record, note: 'made another' })
  await events.flush()
  const found = await eventsAbout(object)
  const counts = found.map(({ note, series }) => [note, (series as { count?: number } | undefined)?.count])
  expect(new Map(counts as [string, number | undefined][])).toEqual(
    new Map([
      ['made', 10],
      ['made another', undefined],
    ]),
  )
  expect(found).toHaveLength(2)
})

test('records that come before the first is written are counted in it', async () => {
  const { events } = recorder()
  const object = await widget()
  for (let n = 0; n < 3; n += 1) {
    events.record({ object, type: 'Normal', reason: 'Created', action: 'Create', note: 'made' })
  }
  await events.flush()
  expect(await eventsAbout(object)).toMatchObject([{ series: { count: 3 } }])
})

test('long notes are clipped, long names fit, and no secret gets out', async () => {
  const { events, redactor } = recorder()
  const object = await widget(`w${'x'.repeat(240)}`)
  redactor.hide('hunter2hunter2')
  const note = `key hunter2hunter2 ${'ä'.repeat(2_000)}`
  events.record({ object, type: 'Normal', reason: 'Created', action: 'Create', note })
  await events.flush()
  const [found] = await eventsAbout(object)
  expect(Buffer.byteLength(String(found?.['note']))).toBeLessThanOrEqual(1_024)
  expect(String(found?.['note'])).toMatch(/^key \[hidden\] ä+…$/)
})

test('an Event that is gone when its count rises is made anew', async () => {
  const { events } = recorder()
  const object = await widget()
  const record = { object, type: 'Normal', reason: 'Created', action: 'Create', note: 'made' } as const
  events.record(record)
  await events.flush()
  const [first] = await eventsAbout(object)
  await admin.transport.send({
    method: 'DELETE',
    path: `/apis/events.k8s.io/v1/namespaces/${namespace}/events/${first?.metadata.name ?? ''}`,
    verb: 'delete',
    resource: 'events',
  })
  events.record(record)
  await events.flush()
  expect(await eventsAbout(object)).toMatchObject([{ note: 'made', series: { count: 2 } }])
})

test('in a namespace that is being deleted records are dropped without a word', async () => {
  const { events, lines } = recorder()
  const going = await createNamespace(admin)
  const object = await createWidget(admin, type, going, 'held', {
    metadata: { finalizers: ['example.com/hold'] },
  })
  const path = `/api/v1/namespaces/${going}`
  await admin.transport.send({ method: 'DELETE', path, verb: 'delete', resource: 'namespaces' })
  await eventually(
    async () => (await admin.client.get(type, going, 'held'))?.metadata.deletionTimestamp !== undefined,
  )
  events.record({ object, type: 'Normal', reason: 'Deleting', action: 'Delete', note: 'going' })
  await events.flush()
  expect(lines).toEqual([])
  expect(await admin.metrics.text()).toContain('events_dropped_total{reason="namespaceTerminating"} 1')
  expect(await eventsAbout(object)).toEqual([])
  const deleting = await admin.client.get<Widget>(type, going, 'held')
  if (deleting !== undefined) await admin.client.setFinalizers(type, deleting, [])
})
