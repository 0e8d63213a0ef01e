/** SIGTERM: nothing is begun any more, the lease is given back at once, and what is in flight is received and recorded. */
import { expect, test } from 'vitest'
import { network } from '../../faults/scenarios/words.ts'
import { createCloudPort } from '../../faults/cloud/port.ts'
import { DURATIONS } from '../../faults/launch.ts'
import { createKubePort } from '../../faults/kube/port.ts'
import { resourceOf } from '../../faults/kube/resources.ts'
import { createKubeServer } from '../../faults/kube/server.ts'
import { createStreams } from '../../faults/kube/streams.ts'
import { createProcess } from '../../faults/process.ts'
import { createRandom } from '../../faults/random.ts'
import { ENDPOINT } from '../../faults/world.ts'
import { startOperator, type RunningOperator } from '../../../src/operator.ts'
import { silentLog } from '../../../src/telemetry/log.ts'
import { createRedactor } from '../../../src/telemetry/redact.ts'
import { begin, type Story } from './drive.ts'

const net = network('net')
const LEASE = { namespace: 'operator', name: 'cloud-operator' }
const POST = 'POST /network/network'

/** A process of the rig whose operator is at hand. */
async function stoppable({ world, until }: Story, elects: boolean): Promise<RunningOperator> {
  const { scheduler, model, service, troubles, entries } = world
  const process = createProcess(1, scheduler, 1)
  const random = createRandom(1)
  const common = { process, scheduler, random, troubles, meet: () => undefined }
  const kube = createKubePort({
    ...common,
    model,
    server: createKubeServer(model),
    streams: createStreams(model, scheduler, () => 1 + random.next() * 8),
    record: (entry) => entries.push(entry),
  })
  const cloud = createCloudPort({
    ...common,
    service,
    leaseHolder: () => undefined,
    landsAt: () => undefined,
    record: (entry) => entries.push(entry),
  })
  let operator: RunningOperator | undefined
  void startOperator({
    config: {
      ...{ kubeconfig: undefined, context: undefined, namespace: undefined, clusterID: undefined },
      ...{ healthPort: 0, metricsPort: 0, logLevel: 'error', drainMs: 150_000, identity: 'process-1' },
      allowedEndpoints: [ENDPOINT],
      lease: { ...LEASE, enabled: elects },
      leaseDurations: { leaseMs: 15_000, renewMs: 10_000, retryMs: 2_000 },
      durations: DURATIONS,
    },
    clock: process.clock,
    log: silentLog,
    redactor: createRedactor(),
    ports: {
      kube,
      cloud: () => cloud,
      health: {
        ...{ port: 0, metricsPort: 0, close: () => Promise.resolve() },
        ready: () => () => undefined,
        live: () => () => undefined,
      },
    },
  }).then((started) => (operator = started))
  await until(() => operator !== undefined)
  return operator as unknown as RunningOperator
}

const holderOf = ({ world }: Story): unknown =>
  world.model.get(resourceOf('Lease'), LEASE.namespace, LEASE.name)?.spec?.['holderIdentity']

async function running(
  elects = true,
): Promise<{ readonly story: Story; readonly operator: RunningOperator }> {
  const story = begin('two')
  const operator = await stoppable(story, elects)
  if (elects) await story.until(() => String(holderOf(story)).startsWith('process-1'))
  await story.until(() => story.isGood({ kind: 'CloudAccount', name: 'default' }))
  return { story, operator }
}

test('the lease is given back at once, while a change is still in flight', async () => {
  const { story, operator } = await running()
  story.apply(net)
  await story.until(() => story.changes(POST).length === 1)
  void operator.stop()
  await story.until(() => holderOf(story) === '', 5_000)
})

test('what is in flight is received and recorded', async () => {
  const { story, operator } = await running()
  story.apply(net)
  await story.until(() => story.changes(POST).length === 1)
  let stopped = false
  void operator.stop().then(() => (stopped = true))
  await story.until(() => stopped)
  expect(story.object(net)?.status?.['id']).toBeTypeOf('string')
})

test('nothing is begun any more', async () => {
  const { story, operator } = await running()
  story.apply(net)
  await story.until(() => story.changes(POST).length === 1)
  story.apply(network('late'))
  let stopped = false
  void operator.stop().then(() => (stopped = true))
  await story.until(() => stopped)
  await story.wait(60_000)
  expect(story.changes(POST)).toHaveLength(1)
})

test('what has only its intent is not sent any more, lease or not', async () => {
  const { story, operator } = await running(false)
  story.apply(net)
  await story.until(() => story.object(net)?.status?.['operation'] !== undefined)
  let stopped = false
  void operator.stop().then(() => (stopped = true))
  await story.until(() => stopped)
  expect(story.changes(POST).filter(({ arrivedAt }) => arrivedAt !== undefined)).toEqual([])
})
