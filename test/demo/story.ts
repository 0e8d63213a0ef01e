/** Applies the examples and, when asked, walks the story to its end: the cloud is as before then. */
import { styleText } from 'node:util'
import { chapters } from './chapters.ts'
import { countsOf, differences } from './inventory.ts'
import { changesOf, fillIn, readExamples, toText, type Manifest } from './manifests.ts'
import { isSettled, nameOf } from './objects.ts'
import { createScene, StoryFailed, type SceneOptions } from './scene.ts'
import { NAMESPACE } from './stage.ts'

/** Resolves when every object of the examples is Ready. */
export async function applyExamples(options: SceneOptions, folder: string): Promise<Manifest[]> {
  const { stage, screen } = options
  const account = { ...stage.account, endpoint: stage.simulator.url }
  const examples = fillIn(await readExamples(folder), account)
  const scene = createScene(options)
  heading(options, 'The examples', 0)
  scene.tell('deploy/examples/web-server, with what is marked CHANGE filled in:')
  for (const line of changesOf(account)) screen.line(`    ${line}`)
  await scene.kubectl(['create', 'namespace', NAMESPACE])
  await scene.kubectl(['apply', '--filename=-'], toText(examples))
  const wanted = examples.filter(({ kind }) => kind !== 'Secret')
  await scene.until('every object is Ready', () => {
    const ready = options.objects.list().filter(isSettled).map(nameOf)
    const all = wanted.every(({ kind, metadata }) => ready.includes(`${kind}/${metadata.name}`))
    return all || undefined
  })
  scene.check(`all ${wanted.length} objects are Ready`, true)
  return examples
}

/** Rejects with StoryFailed at the first step that does not come to its end. */
export async function walk(options: SceneOptions, examples: readonly Manifest[]): Promise<void> {
  for (const [index, { title, play }] of chapters.entries()) {
    heading(options, title, index + 1)
    await play(createScene(options), examples)
  }
}

/** Prints both, and rejects with StoryFailed when the cloud holds anything else than before. */
export async function compareInventory(
  { stage, screen }: SceneOptions,
  before: Awaited<ReturnType<SceneOptions['stage']['admin']['inventory']>>,
): Promise<void> {
  const after = await stage.admin.inventory()
  screen.line()
  screen.line(`The cloud before: ${countsOf(before)}`)
  screen.line(`The cloud now:    ${countsOf(after)}`)
  const found = differences(before, after)
  if (found.length > 0) throw new StoryFailed(`the cloud is not as it was before:\n${found.join('\n')}`)
  screen.line(styleText('green', 'The cloud is as it was before the first apply, in every field.'))
  const { preconditionsViolated } = await stage.admin.counters()
  if (preconditionsViolated > 0)
    throw new StoryFailed(`${preconditionsViolated} calls broke a rule of the service`)
  screen.line(styleText('green', 'No call broke a rule of the service on the way.'))
}

function heading({ screen }: SceneOptions, title: string, number: number): void {
  screen.line()
  screen.line(styleText(['bold', 'cyan'], `${number}. ${title}`))
}
