/** What can be wrong with a call: each entry spoils one thing of a draft. */
import { largestBody } from '../../../src/simulator/http/serve.ts'
import { contentTypes, type Draft } from './draft.ts'
import { uuidOf } from './picks.ts'
import type { Random } from './random.ts'
import type { State } from './state.ts'

export interface Spoiling {
  draft: Draft
  random: Random
  state: State
}

type Distortion = (spoiling: Spoiling) => void

const values: Readonly<Record<string, Distortion>> = {
  drops: ({ draft, random }) => change(draft, random, () => []),
  empties: ({ draft, random }) => change(draft, random, ([name]) => [[name, '']]),
  nulls: ({ draft, random }) => change(draft, random, ([name]) => [[name, null]]),
  strays: ({ draft, random, state }) => change(draft, random, ([name]) => [[name, uuidOf(state, random)]]),
  mistypes: ({ draft, random }) => change(draft, random, ([name]) => [[name, random.oneOf(odd)]]),
  repeats: ({ draft, random }) => change(draft, random, (field) => [field, [field[0], random.oneOf(odd)]]),
  repeatsFirst: ({ draft, random }) =>
    change(draft, random, (field) => [[field[0], random.oneOf(odd)], field]),
  renames: ({ draft, random }) =>
    change(draft, random, ([name, value]) => [
      [random.oneOf([name.toUpperCase(), ` ${name}`, `${name}[]`]), value],
    ]),
  inflates: ({ draft, random }) => change(draft, random, ([name]) => [[name, 'x'.repeat(50_000)]]),
  nests: ({ draft, random }) => {
    const deep = random.oneOf([30, 30, 20_000, 100_000])
    change(draft, random, ([name]) => [[name, { rawJson: `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}` }]])
  },
  adds: ({ draft, random }) => {
    const fields = random.chance(0.5) ? draft.query : draft.body
    fields.push([random.oneOf(names), random.oneOf(odd)])
  },
}

const odd: readonly unknown[] = [
  ...[0, 1, -1, 1.5, 65_536, 2 ** 31, 2 ** 53, 1e21, 999_999_999_999_999],
  ...[
    '-0',
    '007',
    ' 7',
    '7 ',
    '1e3',
    '0x10',
    'NaN',
    'null',
    'true',
    'yes',
    '\u0000',
    '\u202e',
    "'; --",
    '<b>',
    '💥',
  ],
  ...[true, false, null, [], [1], [[]], [null], {}, { uuid: 'x' }, [{}], [{ target_uuid: 1 }]],
]

const names: readonly string[] = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'length',
  'uuid',
  'id',
  'a=b',
  '💥',
]

const carriage: Readonly<Record<string, Distortion>> = {
  method: ({ draft, random }) => {
    draft.method = random.oneOf([
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'HEAD',
      'OPTIONS',
      'get',
      'TRACE',
      'X',
    ])
  },
  version: ({ draft, random }) => {
    draft.version = random.oneOf(['v2', 'V1', '', 'v1 ', 'api'])
  },
  slug: ({ draft, random }) => {
    draft.slug = random.oneOf(['nowhere', 'JKT01', 'jkt01', 'sgp01', 'tll01', '', 'v1', '__proto__'])
  },
  path: ({ draft, random }) => {
    const at = random.whole(0, draft.path.length - 1)
    const segment = random.oneOf([
      '',
      '.',
      '..',
      'x',
      '%',
      'vm',
      'constructor',
      draft.path[at]?.toUpperCase() ?? '',
    ])
    draft.path.splice(at, random.whole(0, 1), ...(random.chance(0.7) ? [segment] : []))
  },
  slash: ({ draft }) => draft.path.push(''),
  rawPath: ({ draft, random }) => {
    const paths = [
      '',
      '/',
      '//',
      '/v1',
      '/v1/',
      '*',
      'v1/storage/disks',
      '/v1/%',
      '/v1/storage/disks/%zz',
      '/v1/é',
    ]
    draft.rawPath = random.oneOf([
      ...paths,
      `/v1/${'a/'.repeat(3000)}`,
      `/v1/storage/disks/${'a'.repeat(9000)}`,
    ])
  },
  key: ({ draft, random }) => {
    const keys = [
      undefined,
      '',
      'wrong',
      `${draft.key ?? ''} `,
      draft.key?.toUpperCase(),
      '__proto__',
      'x'.repeat(9000),
    ]
    draft.key = random.oneOf(keys.map((key) => ({ key }))).key
  },
  contentType: ({ draft, random }) => {
    const types = [
      'text/plain',
      'application/xml',
      'APPLICATION/JSON',
      'application/json; charset=latin1',
      ';',
      '',
    ]
    const others = [
      contentTypes.form,
      contentTypes.json,
      'multipart/form-data',
      'multipart/form-data; boundary=(.*)+',
    ]
    draft.contentType = random.oneOf([undefined, ...types, ...others].map((type) => ({ type }))).type
  },
  sendsOtherwise: ({ draft, random }) => {
    draft.sends = random.oneOf(['form', 'json', 'multipart', 'nothing'])
    draft.contentType = contentTypes[draft.sends]
  },
  body: ({ draft, random }) => {
    draft.rawBody = random.oneOf(bodies)
  },
  tooLarge: ({ draft }) => {
    draft.rawBody = overTheLimit
  },
  encoding: ({ draft, random }) => {
    draft.encoding = random.oneOf(['plus', 'everything', 'smallHex'])
  },
}

const overTheLimit = new Uint8Array(largestBody + 1)

const bodies: readonly (string | Uint8Array)[] = [
  ...[
    '',
    '{',
    '{"uuid":',
    '[]',
    '[{}]',
    'null',
    '7',
    '"x"',
    'true',
    '{}x',
    '{"a":1}{"b":2}',
    '<x/>',
    '\ufeff{}',
  ],
  ...[
    '&&&',
    '=',
    '=x',
    '%',
    'a=%',
    'uuid=%zz',
    'uuid=%c3',
    'uuid=%00',
    'a=1;b=2',
    'uuid==x',
    '&'.repeat(20_000),
  ],
  '['.repeat(50_000),
  `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  '\r\n\r\n'.repeat(5000),
  `------line\r\n${'\r\n\r\n'.repeat(5000)}------line--`,
  Uint8Array.from([0xff, 0xfe, 0x00, 0x80]),
]

/** Spoils the draft in one way, or now and then in several; the odd body over the limit is rare, as it is slow. */
export function spoil(spoiling: Spoiling): void {
  const { draft, random } = spoiling
  do {
    const [name, distort] = random.oneOf(
      Object.entries(random.chance(0.6) ? values : carriage).filter(
        ([each]) => each !== 'tooLarge' || random.chance(0.02),
      ),
    )
    distort(spoiling)
    draft.distorted.push(name)
  } while (random.chance(0.25))
}

type Field = [string, unknown]

/** Replaces one field of the query or the body, or one part of the path. */
function change(draft: Draft, random: Random, replaced: (field: Field) => Field[]): void {
  const inPath = draft.path
    .map((_, index) => index)
    .filter((index) => draft.operation.path.split('/')[index + 1]?.startsWith(':'))
  const fields =
    draft.body.length > 0 && (draft.query.length === 0 || random.chance(0.5)) ? draft.body : draft.query
  if (fields.length === 0 || (inPath.length > 0 && random.chance(0.4))) {
    if (inPath.length === 0) return
    const at = random.oneOf(inPath)
    const [, value] = replaced(['', draft.path[at] ?? ''])[0] ?? ['', '']
    draft.path[at] = typeof value === 'string' ? value.slice(0, 9000) : JSON.stringify(value).slice(0, 9000)
    return
  }
  const at = random.whole(0, fields.length - 1)
  fields.splice(at, 1, ...replaced(fields[at] ?? ['', '']))
}
