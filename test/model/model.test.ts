import { afterAll, expect, test } from 'vitest'
import type { Checked } from './check.ts'
import { MODELS } from './models.ts'
import { troubleOf } from './table.ts'

/** Milliseconds: some ten thousand states each, on a machine that may do other things. */
const PATIENCE = 240_000
const LEAST = 100_000

const done: Checked[] = []

test.each(MODELS)(
  '$kind: from every state every walk ends where it may, and breaks no law',
  { timeout: PATIENCE },
  ({ check }) => {
    const checked = check()
    done.push(checked)
    expect(troubleOf(checked)).toEqual([])
  },
)

test(`together they are more than ${LEAST} states`, () => {
  expect(done.reduce((all, { states }) => all + states, 0)).toBeGreaterThan(LEAST)
})

afterAll(() => {
  const each = done.map(({ kind, states }) => `${kind} ${states}`).join(', ')
  process.stdout.write(`states of the model: ${each}\n`)
})
