/** Who may import whom, and which single file may touch time, the environment, undici and client-node. */
import { expect, test } from 'vitest'
import { codeOf, readSources, type Source } from './sources.ts'

const sources = readSources()

/** Folder → folders and files its files may import, besides their own folder and loop/clock.ts. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  api: [],
  telemetry: [],
  loop: ['telemetry'],
  cloud: ['telemetry'],
  kube: ['api/group.ts', 'api/object.ts', 'telemetry'],
  reconcile: ['api', 'loop', 'kube', 'cloud', 'telemetry/log.ts'],
  kinds: ['api', 'cloud', 'reconcile', 'loop/outcome.ts', 'kube/errors.ts', 'telemetry/log.ts'],
  simulator: ['telemetry'],
}

const ASSEMBLY = ['main.ts', 'operator.ts', 'watch.ts', 'config.ts']

const folderOf = (path: string) => path.split('/')[0] ?? path

test('each folder imports only what it may', () => {
  const wrong = sources
    .filter(({ path }) => !ASSEMBLY.includes(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ ours, target }) => ours && !allowed(path, target))
        .map(({ target }) => `${path} imports ${target}`),
    )
  expect(wrong).toEqual([])
})

function allowed(path: string, target: string): boolean {
  const folder = folderOf(path)
  if (folderOf(target) === folder || target === 'loop/clock.ts') return true
  const may = MAY_IMPORT[folder]
  return may?.some((each) => target === each || target.startsWith(`${each}/`)) ?? false
}

test('no kind imports a sibling; only the list of all kinds does', () => {
  const kindOf = (path: string) => path.split('/')[1] ?? ''
  const wrong = sources
    .filter(({ path }) => path.startsWith('kinds/') && path !== 'kinds/all.ts')
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ ours, target }) => ours && target.startsWith('kinds/') && kindOf(target) !== kindOf(path))
        .map(({ target }) => `${path} imports ${target}`),
    )
  expect(wrong).toEqual([])
})

test("a plan imports values only of its own folder and the pipeline's pure words", () => {
  const pure = ['plan.ts', 'conditions.ts', 'marker.ts', 'retiring.ts'].map((file) => `reconcile/${file}`)
  const wrong = sources
    .filter(({ path }) => /^kinds\/[a-z]+\/plan\.ts$/.test(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ typeOnly }) => !typeOnly)
        .filter(({ target, ours }) => !ours || !(pure.includes(target) || /^kinds\/[a-z]+\//.test(target)))
        .map(({ target }) => `${path} imports ${target}`),
    )
  expect(wrong).toEqual([])
})

test('each kind has the same four files', () => {
  const kinds = new Set(
    sources.filter(({ path }) => /^kinds\/[a-z]+\//.test(path)).map(({ path }) => path.split('/')[1]),
  )
  for (const kind of kinds) {
    for (const file of ['plan.ts', 'act.ts', 'seen.ts', 'kind.ts']) {
      expect(sources.map(({ path }) => path)).toContain(`kinds/${kind}/${file}`)
    }
  }
  expect(kinds.size).toBe(11)
})

test('no cycles at run time', () => {
  const edges = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter((each) => each.ours && !each.typeOnly).map((each) => each.target),
    ]),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      return
    }
    if (done.has(path)) return
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  expect(cycles).toEqual([])
})

/** A package or a word of the language, and the only files that may use it. */
const SINGLE: readonly (readonly [
  what: string,
  uses: (source: Source) => boolean,
  files: readonly RegExp[],
])[] = [
  [
    'undici',
    imports('undici'),
    [/^cloud\/(transport|connect|wire)\.ts$/, /^kube\/(transport|classify|proxy)\.ts$/],
  ],
  [
    'values of client-node',
    imports('@kubernetes/client-node'),
    [/^kube\/(credentials|access|kubeconfig)\.ts$/],
  ],
  ['the environment', says(/\bprocess\.env\b/), [/^config\.ts$/]],
  [
    'time, timers and randomness',
    says(
      /\b(Date\.now|new Date\(|Math\.random|setTimeout|setInterval|setImmediate|randomUUID|performance\.now|AbortSignal\.timeout)\b/,
    ),
    [/^loop\/clock\.ts$/],
  ],
]

function imports(name: string): (source: Source) => boolean {
  return (source) => source.imports.some((each) => each.target === name && !each.typeOnly)
}

function says(pattern: RegExp): (source: Source) => boolean {
  return (source) => pattern.test(codeOf(source))
}

test.each(SINGLE)('%s: used in its own files only', (_what, uses, files) => {
  const wrong = sources
    .filter(uses)
    .map(({ path }) => path)
    .filter((path) => !files.some((file) => file.test(path)))
  expect(wrong).toEqual([])
})

test('no retrying dispatcher anywhere, no barrel, no type given up', () => {
  const retry = sources
    .filter(({ text }) => /RetryAgent|RetryHandler|interceptors\.retry/.test(text))
    .map(({ path }) => path)
  const barrels = sources.filter(({ text }) => /^export \* from/m.test(text)).map(({ path }) => path)
  const given = sources
    .filter(
      (source) =>
        /\bas any\b|: any\b|<any>/.test(codeOf(source)) ||
        /@ts-ignore|@ts-expect-error|eslint-disable/.test(source.text),
    )
    .map(({ path }) => path)
  expect({ retry, barrels, given }).toEqual({ retry: [], barrels: [], given: [] })
})
