import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rows } from '../../../src/cloud/answers.ts'
import { receive } from '../../../src/cloud/receive.ts'
import { createRowSplitter } from '../../../src/cloud/rows.ts'
import { vmSchema } from '../../../src/cloud/schemas.ts'
import { systemClock } from '../../../src/loop/clock.ts'

/** The rows of a text that comes in pieces of this size; undefined when it is no complete array of objects. */
function split(text: string, pieceBytes: number): unknown[] | undefined {
  const found: unknown[] = []
  const splitter = createRowSplitter((row) => {
    found.push(JSON.parse(row))
    return true
  })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (!splitter.push(bytes.subarray(at, at + pieceBytes))) return undefined
  }
  return splitter.done() ? found : undefined
}

describe('splitting a list into rows', () => {
  test('any array of objects, in any pieces, comes out as it was', () => {
    const value = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 8 })
    fc.assert(
      fc.property(
        value,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(0, 2),
        (list, pieceBytes, indent) => {
          const text = JSON.stringify(list, undefined, indent)
          expect(split(text, pieceBytes)).toEqual(JSON.parse(text))
        },
      ),
    )
  })

  test('a character cut in two between pieces stays whole', () => {
    expect(split('[{"name":"žluť 🌥"}]', 1)).toEqual([{ name: 'žluť 🌥' }])
  })

  test.each([
    '',
    '[',
    '[{"a":1}',
    '[{"a":1},',
    '[{"a":1},]',
    '[,]',
    '[{"a":1}{"b":2}]',
    '[1,2]',
    '["a"]',
    '[null]',
    '[[]]',
    '{"rows":[]}',
    '[] []',
    '[]x',
    'null',
    '<html></html>',
    `[{"a":${'['.repeat(100)}${']'.repeat(100)}}]`,
  ])('%s is not such a list', (text) => {
    expect(split(text, 7)).toBeUndefined()
  })
})

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve()
    yield bytes.subarray(at, at + size)
  }
}

function received(text: string, size = 4096) {
  const reply = { status: 200, header: () => undefined, body: pieces(Buffer.from(text), size) }
  return receive(reply, rows(vmSchema), systemClock)
}

describe('a list reply', () => {
  test('one wrong-shaped row makes the whole list unreadable, not a missing row', async () => {
    const { result, reply } = await received('[{"uuid":"a"},{"name":"no uuid"},{"uuid":"c"}]')
    expect(result).toBeUndefined()
    expect(reply.unreadable).toContain('not a list of the expected form')
  })

  test.each(['[{"uuid":"a"}', '[{"uuid":"a"},{]', '{"errors":{"Error":"no"}}', ''])(
    '%s is unreadable',
    async (text) => {
      expect((await received(text)).result).toBeUndefined()
    },
  )

  test('a long list lets the event loop turn after every 64 KB, however it comes in', async () => {
    const vms = Array.from({ length: 2_000 }, (_, n) => ({ uuid: `vm-${n}`, description: 'd'.repeat(500) }))
    const bytes = Buffer.from(JSON.stringify(vms))
    let turns = 0
    const clock = { ...systemClock, yield: () => ((turns += 1), systemClock.yield()) }
    for (const size of [bytes.length, 200_000, 1_000]) {
      turns = 0
      const reply = { status: 200, header: () => undefined, body: pieces(bytes, size) }
      const { result } = await receive(reply, rows(vmSchema), clock)
      expect(result?.value).toHaveLength(2_000)
      expect(turns).toBeGreaterThanOrEqual(Math.floor(bytes.length / (2 * 65_536)))
    }
  })
})
