/** The conformance sequence on the model, through the same port that processes of the rig use. */
import { createProcess, EPOCH_MS } from '../process.ts'
import { createRandom } from '../random.ts'
import { createScheduler } from '../scheduler.ts'
import { createTroubles } from '../troubles.ts'
import { conformance, type Answered } from './conformance.ts'
import { createKubeModel } from './model.ts'
import { createKubePort } from './port.ts'
import { resourceOf } from './resources.ts'
import { createKubeServer } from './server.ts'
import { createStreams } from './streams.ts'

export async function conformanceOnModel(namespace: string): Promise<readonly Answered[]> {
  const random = createRandom(1)
  const scheduler = createScheduler(random)
  const model = createKubeModel({ now: () => EPOCH_MS + scheduler.now(), newUID: () => random.hex(16) })
  for (const name of ['kube-system', namespace])
    model.create(resourceOf('Namespace'), '', { metadata: { name } })
  const transport = createKubePort({
    process: createProcess(1, scheduler, 1),
    scheduler,
    random,
    model,
    server: createKubeServer(model),
    streams: createStreams(model, scheduler, () => 1),
    troubles: createTroubles([], () => undefined),
    meet: () => undefined,
    record: () => undefined,
  })
  let answers: readonly Answered[] | undefined
  const asked = conformance(transport, namespace).then((given) => (answers = given))
  await scheduler.run(() => answers !== undefined, 3_600_000)
  return asked
}
