/** Every fault can still be seeded, and a few of them are noticed. All of them: npm run test:seeded */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAULTS } from './faults.ts'
import { hunt } from './hunt.ts'
import { patched, SOURCES } from './patch.ts'
import { openSound, type Sound } from './sound.ts'

/** Cheap ones, each noticed in another way. */
const FEW = ['no intent', 'write status every pass', 'clear the intent on unclear']

test('each has a name of its own', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
})

test.each(FAULTS)('$name: its text stands once in $file, and what replaces it can be read', (fault) => {
  const source = readFileSync(new URL(fault.file, SOURCES), 'utf8')
  expect(() => stripTypeScriptTypes(patched(source, fault))).not.toThrow()
})

let sound: Sound | undefined
beforeAll(async () => void (sound = await openSound()), 120_000)
afterAll(async () => {
  await sound?.close()
})

test.each(FEW)(
  '%s: is noticed',
  async (name) => {
    const fault = FAULTS.find((each) => each.name === name)
    if (fault === undefined || sound === undefined) throw new Error(`there is no fault ${name}`)
    const { caughtBy, unsound, broken } = await hunt(fault, sound)
    expect({ broken, unsound }).toEqual({ broken: undefined, unsound: [] })
    expect(caughtBy).not.toEqual([])
  },
  120_000,
)
