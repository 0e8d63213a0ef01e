/** Every fault can still be seeded, and a few of them are noticed. All of them: npm run test:seeded */
import { existsSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAULTS } from './faults.ts'
import { scenarioOf } from '../faults/scenarios/all.ts'
import { hunt } from './hunt.ts'
import { patched, SOURCES } from './patch.ts'
import { HELD_ELSEWHERE, RULES, type Rule } from './rules.ts'
import { shareOf } from './share.ts'
import { openSound, type Sound } from './sound.ts'
import { RULES_FILE, rulesTable } from './table.ts'

/** Cheap ones, each noticed in another way. */
const FEW = ['no intent', 'write status every pass', 'clear the intent on unclear']

test('each has a name of its own', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
})

test('each rule has a fault', () => {
  const rules: readonly Rule[] = Object.values(RULES).flat()
  expect(rules.filter((rule) => !FAULTS.some((each) => each.rule === rule))).toEqual([])
  expect(new Set(rules).size).toBe(rules.length)
})

test('RULES.md shows the rules as they are: node test/seeded/table.ts', () => {
  expect(readFileSync(RULES_FILE, 'utf8')).toBe(rulesTable())
})

test('the tests that are named exist', () => {
  const shown = FAULTS.flatMap(({ shows }) => ('test' in shows ? [shows.test] : []))
  const named = [...shown, ...HELD_ELSEWHERE.map(({ by }) => by)]
  expect(named.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([])
})

test('the stories that are named exist, on the profile they are looked for on', () => {
  for (const { shows } of FAULTS) {
    for (const { scenario, profile = 'extended' } of 'test' in shows ? [] : shows)
      expect(scenarioOf(scenario).profiles ?? [profile]).toContain(profile)
  }
})

test('a share is drawn by its seed, and several seeds draw more', () => {
  const names = (seed: number) => shareOf(FAULTS, 20, seed).map(({ name }) => name)
  expect(names(7)).toEqual(names(7))
  expect(names(7)).toHaveLength(Math.ceil(FAULTS.length / 5))
  expect(new Set([...names(7), ...names(8)]).size).toBeGreaterThan(names(7).length)
  expect(() => shareOf(FAULTS, 0, 1)).toThrow('share')
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
