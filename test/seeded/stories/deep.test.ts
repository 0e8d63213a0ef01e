/** An answer that is nested deeper than any of the service's: unreadable, however right it is otherwise. */
import { expect, test } from 'vitest'
import { receive } from '../../../src/cloud/receive.ts'
import { systemClock } from '../../../src/loop/clock.ts'

const nested = (depth: number): string => `{"uuid":"one","more":${'['.repeat(depth)}${']'.repeat(depth)}}`

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text))
}

function received(text: string) {
  const reply = { status: 200, header: () => undefined, body: bytes(text) }
  return receive(reply, { shape: 'record', parse: (body) => body ?? undefined }, systemClock)
}

test('a record of a hundred levels is unreadable, one of ten is not', async () => {
  expect((await received(nested(10))).result).toBeDefined()
  expect((await received(nested(100))).result).toBeUndefined()
})
