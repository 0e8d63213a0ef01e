/** The demo itself, from the first process to the last line. */
import { delimiter, dirname, join } from 'node:path'
import { showCalls } from './calls.ts'
import { Interrupted } from './interruption.ts'
import { watchObjects } from './objects.ts'
import type { Options } from './options.ts'
import { rejectOnAbort } from './program.ts'
import type { SceneOptions } from './scene.ts'
import type { Screen } from './screen.ts'
import { NAMESPACE, onStage, type Stage } from './stage.ts'
import { applyExamples, compareInventory, walk } from './story.ts'
import { showTable } from './table.ts'

const examplesFolder = join(import.meta.dirname, '../../deploy/examples/web-server')
const tailLines = 25

/** Resolves when the story is over or a demo that stays up is left by Ctrl-C. Whatever comes, nothing is left then. */
export async function perform(options: Options, screen: Screen, abort: AbortController): Promise<void> {
  const { signal } = abort
  const say = (line: string) => screen.line(`· ${line}`)
  const logLevel = options.once ? 'debug' : 'info'
  await onStage({ say, signal, logLevel }, async (stage) => {
    for (const { name, ended } of [stage.simulator, stage.operator])
      void ended.then((how) => abort.abort(new Error(`the ${name} ended with ${how}`)))
    if (options.pids) for (const { name, pid } of stage.pids()) screen.line(`pid ${pid} ${name}`)
    const objects = watchObjects(stage.kubeconfig, NAMESPACE)
    const calls = showCalls(stage.admin, objects, screen)
    showTable(objects, screen)
    const setting = { stage, objects, calls, screen, signal }
    try {
      if (options.once) await tellStory(setting)
      else await stayUp(setting)
    } catch (error) {
      if (!(signal.reason instanceof Interrupted)) {
        screen.line("\nThe operator's last log lines:")
        for (const line of stage.operator.tail(tailLines)) screen.line(line)
      }
      throw signal.aborted ? signal.reason : error
    } finally {
      screen.pin([])
      calls.stop()
      await objects.stop()
    }
  })
}

async function tellStory(setting: SceneOptions): Promise<void> {
  const before = await setting.stage.admin.inventory()
  const examples = await applyExamples(setting, examplesFolder)
  setting.calls.showReads(true)
  await walk(setting, examples)
  await compareInventory(setting, before)
}

async function stayUp(setting: SceneOptions): Promise<void> {
  await applyExamples(setting, examplesFolder)
  for (const line of invitation(setting.stage)) setting.screen.line(line)
  await new Promise<void>((resolve, reject) => {
    rejectOnAbort(setting.signal, (error) => {
      if (error instanceof Interrupted && error.by === 'SIGINT') resolve()
      else reject(error)
    })
  })
}

function invitation(stage: Stage): string[] {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).includes(dirname(stage.plane.kubectl))
  const { apiKey } = stage.account
  return [
    '',
    'Everything is Ready and stays up until Ctrl-C. In another terminal:',
    '',
    `  export KUBECONFIG=${stage.kubeconfig}`,
    ...(onPath ? [] : [`  alias kubectl=${stage.plane.kubectl}`]),
    '',
    '  kubectl get cloud',
    `  kubectl patch cloudvm web-1 --type=merge --patch='{"spec":{"vcpus":4}}'`,
    `  kubectl patch clouddisk web-data --type=merge --patch='{"spec":{"sizeGiB":80}}'`,
    '  kubectl describe cloudvm web-1',
    '  kubectl delete cloudbucket web-assets',
    '',
    `  the simulated cloud  ${stage.simulator.url}   (its key: ${apiKey})`,
    `  its admin port       ${stage.simulator.adminUrl}`,
    `  the operator's log   ${stage.operator.logFile}`,
    '',
    `  curl --silent --header 'apikey: ${apiKey}' ${stage.simulator.url}/v1/user-resource/vm/list`,
    `  curl --silent '${stage.simulator.adminUrl}/inventory?apiKey=${apiKey}'`,
    '',
    'Below: calls that change something in the cloud, as they happen.',
  ]
}
