/** The table of operations, what the simulator serves, and what is tested here are the same. */
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/simulator/routes/routes.ts'
import { errorText, made, newVm, open, profiles } from './kit.ts'
import { located, matches, type Exercises } from './operations/exercise.ts'
import { machineExercises } from './operations/machines.ts'
import { connectionExercises } from './operations/network.ts'
import { objectExercises } from './operations/objects.ts'
import { peopleExercises } from './operations/people.ts'
import { storageExercises } from './operations/storage.ts'
import { extendedOnly, gaps, operations, variants } from './operations.ts'

const exercises: Exercises = {
  ...peopleExercises,
  ...machineExercises,
  ...storageExercises,
  ...objectExercises,
  ...connectionExercises,
}

const served = routes.filter((route) => route.gap !== true)
const isExtra = (route: (typeof routes)[number]) =>
  route.extendedOnly === true || route.loadBalancerOperation === true
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const sorted = (names: readonly string[]) => [...names].sort()

/** Operations whose exercise has passed, in both profiles and on every path form they have. */
const exercised = new Map<string, number>()

/** A path of the pattern for something that is not there. */
const somePath = (pattern: string) => pattern.replace(/:\w+/g, 'none')

test('the interface has 61 operations', () => {
  expect(operations).toHaveLength(61)
  expect(new Set(operations.map(({ name }) => name)).size).toBe(61)
})

test('the simulator serves the operations of the table and no others', () => {
  expect(sorted(served.filter((route) => !isExtra(route)).map(nameOf))).toEqual(
    sorted(operations.map(nameOf)),
  )
})

test('what only the extended profile serves is listed, with a reason', () => {
  expect(sorted(served.filter(isExtra).map(nameOf))).toEqual(sorted(extendedOnly.map(({ name }) => name)))
  for (const { reason } of extendedOnly) expect(reason).not.toBe('')
})

describe.each(profiles)('%s', (profile) => {
  describe.each(operations)('$name', ({ name, method, path, slug }) => {
    test.each(slug ? [undefined, 'jkt01', 'sgp01'] : [undefined])('succeeds (slug: %s)', async (location) => {
      expect.hasAssertions()
      const api = await open({ profile })
      await exercises[name]({ api: located(api, location, profile), profile })
      const done = api.simulator.control
        .calls()
        .filter((call) => call.method === method && matches(path, call.path))
      expect(done.map((call) => call.status)).toContainEqual(expect.toSatisfy(isSuccess))
      expect(new Set(done.map((call) => call.location))).toEqual(new Set([location]))
      exercised.set(name, (exercised.get(name) ?? 0) + 1)
    })
  })
})

const isSuccess = (status: unknown) => typeof status === 'number' && status >= 200 && status < 300

test('every operation of the table was carried out above', () => {
  expect(sorted([...exercised.keys()])).toEqual(sorted(operations.map(({ name }) => name)))
  for (const { name, slug } of operations) expect([name, exercised.get(name)]).toEqual([name, slug ? 6 : 2])
  expect(exercised.size).toBe(served.filter((route) => !isExtra(route)).length)
})

describe('documented: path forms', () => {
  test.each(operations)('$name takes a slug as the table says', async ({ method, path, slug }) => {
    const api = await open({ profile: 'documented' })
    const answer = await api.bare(method, `/sgp01${somePath(path)}`)
    if (slug) expect(errorText(answer)).not.toMatch(/^no route/)
    else expect([answer.status, errorText(answer)]).toEqual([404, expect.stringMatching(/^no route/)])
  })

  test.each(extendedOnly)('$name is no route', async ({ name }) => {
    const api = await open({ profile: 'documented' })
    const [method = '', path = ''] = name.split(' ')
    const answer = await api.bare(method, somePath(path))
    expect([answer.status, errorText(answer)]).toEqual([404, expect.stringMatching(/^no route/)])
  })
})

describe.each(profiles)('beside the operations, %s', (profile) => {
  test.each(variants)('$of takes $takes', async ({ of, takes, inPlaceOf }) => {
    const api = await open({ profile })
    const uuid = await newVm(api)
    const [method = '', path = ''] = of.split(' ')
    const vm = made(await api.form(method, path, { uuid, [takes]: 'almalinux_9' }))
    expect(inPlaceOf.map((field) => vm[field])).toEqual(['almalinux', '9'])
  })

  const asked = gaps.flatMap((path) =>
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => [
      [method, path],
      [method, `/sgp01${path}`],
    ]),
  ) as [string, string][]

  test.each(asked)('%s %s has no shape: 501', async (method, path) => {
    const api = await open({ profile })
    const answer = await api.bare(method, path)
    expect(answer.status).toBe(501)
    expect(answer.body).toEqual({ errors: { Error: expect.stringMatching(/not simulated$/) as unknown } })
    expect((await api.as('wrong').bare(method, path)).status).toBe(403)
    expect(api.simulator.control.counters().mutations).toEqual({})
  })
})
