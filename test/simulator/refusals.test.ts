/**
 * Bad input: each operation in each way that it can be asked wrongly is refused with a 4xx in the family's error shape,
 * names what is wrong, and changes nothing. The tables in refusals/ say what is right and what each parameter is.
 */
import { describe, expect, test } from 'vitest'
import { profiles, type Profile } from './kit.ts'
import { operations } from './operations.ts'
import { casesOf, rightRequest, type Case } from './refusals/cases.ts'
import { machineOperations } from './refusals/machines.ts'
import { connectionOperations } from './refusals/network.ts'
import { peopleOperations } from './refusals/people.ts'
import { setScene, type Response, type Scene } from './refusals/scene.ts'
import type { Operation } from './refusals/spec.ts'
import { storageOperations } from './refusals/storage.ts'

const tables: readonly Operation[] = [
  ...peopleOperations,
  ...machineOperations,
  ...storageOperations,
  ...connectionOperations,
]

test('the tables have every operation of the interface', () => {
  const documented = tables.filter(({ only }) => only === undefined).map(({ name }) => name)
  expect([...documented].sort()).toEqual(operations.map(({ name }) => name).sort())
})

const scenes: Partial<Record<Profile, Promise<Scene>>> = {}

describe.each(profiles)('%s', (profile) => {
  const here = tables.filter(({ only }) => only === undefined || only === profile)

  test.each(here)('$name', async (operation) => {
    const scene = await (scenes[profile] ??= setScene(profile))
    const { control } = scene.simulator
    // The number of calls is part of the state: it draws correlation ids.
    const state = (): string => control.dump().replace(/"call":\d+/, '')
    const before = state()
    const inventory = control.inventory()
    const faults: string[] = []
    for (const wrong of casesOf(operation, scene)) {
      const answer = await scene.send(wrong.request)
      const problem = problemOf(wrong, answer, operation, profile)
      if (problem !== undefined) faults.push(`${wrong.why}: ${problem}: ${answer.status} ${answer.text}`)
      if (state() === before) continue
      faults.push(`${wrong.why}: changed something: ${answer.status} ${answer.text}`)
      scene.restore()
    }
    expect(faults).toEqual([])
    expect(control.inventory()).toEqual(inventory)
  })

  // Else they would be refused for something other than what they are about.
  test.each(here)('$name: the request that the others differ from is right', async (operation) => {
    const scene = await (scenes[profile] ??= setScene(profile))
    const answer = await scene.send(rightRequest(operation, scene))
    expect([answer.text, answer.status < 300]).toEqual([answer.text, true])
    scene.restore()
  })
})

function problemOf(
  { names, status }: Case,
  answer: Response,
  operation: Operation,
  profile: Profile,
): string | undefined {
  if (answer.status < 400 || answer.status > 499) return 'no 4xx'
  if (status !== undefined && answer.status !== status) return `not ${status}`
  const text = refusalText(answer, operation.name, profile)
  if (text === undefined) return 'not the shape of errors here'
  return names.some((name) => text.includes(name)) ? undefined : `does not name ${names.join(' or ')}`
}

/** Field and text of an error body; undefined when it has not exactly the shape that the profile and family have. */
function refusalText({ status, text }: Response, name: string, profile: Profile): string | undefined {
  const body = JSON.parse(text) as Record<string, unknown>
  const [only, ...more] = Object.keys(body)
  if (more.length > 0) return undefined
  if (only === 'message')
    return profile === 'extended' && ofMessages(status, name) ? stringOf(body) : undefined
  if (only !== 'errors' || (profile === 'extended' && ofMessages(status, name))) return undefined
  const errors = body['errors'] as Record<string, unknown>
  const [field, ...others] = Object.keys(errors)
  if (field === undefined || others.length > 0 || (profile === 'documented' && field !== 'Error'))
    return undefined
  const said = stringOf(errors)
  return said === undefined ? undefined : `${field}: ${said}`
}

/** As deployed, the gateway and the families below /storage and /network answer `{"message": …}`. */
function ofMessages(status: number, name: string): boolean {
  return [401, 403, 405].includes(status) || / \/(storage|network)\//.test(name) || status === 404
}

function stringOf(record: Record<string, unknown>): string | undefined {
  const [value] = Object.values(record)
  return typeof value === 'string' && value !== '' ? value : undefined
}
