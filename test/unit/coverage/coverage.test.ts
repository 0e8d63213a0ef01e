/** README's table of operations against the interface's own list (which the simulator is counted with) and the client. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { KINDS } from '../../../src/api/group.ts'
import { gaps, operations } from '../../simulator/operations.ts'
import { sentOperations } from './sent.ts'

const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')
const section = readme.slice(readme.indexOf('## Every operation of the service'))
const rows = [...section.matchAll(/^\| `(\S+) (\S+)` \| (.+) \|$/gm)].map(
  ([, method = '', path = '', how = '']) => ({
    name: `${method} ${path}`,
    how,
  }),
)
const bare = (name: string) => name.replaceAll(/:\w+/g, ':')
const unused = rows.filter(({ how }) => how.startsWith('not used: '))
const used = rows.filter(({ how }) => !how.startsWith('not used: '))

describe('the table of operations', () => {
  test('has each operation of the interface once, and the two without a shape', () => {
    expect(rows.map(({ name }) => name)).toEqual([
      ...operations.map(({ name }) => name),
      ...gaps.map((path) => `(any) ${path}`),
    ])
  })

  test('says of what is used by which kind it is reached', () => {
    for (const { name, how } of used) expect(how, name).toMatch(new RegExp(`\\b(${KINDS.join('|')})\\b`))
  })

  test('leaves out six, each with its reason', () => {
    expect(unused.map(({ name }) => name)).toEqual([
      'DELETE /user-resource/vm/ip/public',
      'POST /user-resource/vm/ip/public',
      'POST /user-resource/vm/storage',
      'DELETE /user-resource/vm/storage',
      '(any) /user-resource/billing_resources',
      '(any) /user-resource/resource_billing',
    ])
  })
})

describe('the client', () => {
  const sent = sentOperations()

  test('sends what the table says is used', () => {
    expect(used.filter(({ name }) => !sent.has(bare(name))).map(({ name }) => name)).toEqual([])
  })

  test('never sends what it says is not', () => {
    expect(unused.filter(({ name }) => sent.has(bare(name)))).toEqual([])
  })

  test('sends nothing else but what load balancers have as deployed', () => {
    const known = new Set(used.map(({ name }) => bare(name)))
    const others = [...sent].filter((name) => !known.has(name))
    expect(others.filter((name) => !name.includes(' /network/load_balancers/:'))).toEqual([])
  })
})
