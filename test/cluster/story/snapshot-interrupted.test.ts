/**
 * The operator is killed, or its answers are, while a snapshot is taken or deleted. No service shows whose a snapshot is:
 * what an unanswered call took is told only by a person, and nothing is taken beside it before.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FaultAction } from '../../../src/simulator/faults.ts'
import { manifest } from '../kubectl.ts'
import { startStory, type Story } from '../story.ts'
import { cloudRow, idOf } from './calls.ts'
import { asked, callsTo, copyIDs, dropBehind, DROP, TAKE } from './copies.ts'
import { annotate, endOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

let story: Story
let vm: string
beforeAll(async () => {
  story = await startStory('snapshot-interrupted')
  await story.apply(manifest('CloudVM', 'db', SMALL_VM))
  vm = idOf(await story.ready('cloudvm', 'db'))
})
afterAll(() => endOrderly(story))

const take = (name: string) => story.apply(manifest('CloudSnapshot', name, { vmRef: { name: 'db' } }))
const remove = (name: string) => story.run('delete', 'cloudsnapshot', name, '--wait=false')

/** Holds the next call, kills the operator there, and starts anew. */
async function killedAt(
  point: 'before' | 'afterCommit',
  [method, path]: readonly [string, string],
  begin: () => Promise<unknown>,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const { control } = story.simulator
  const hold = control.hold({ method, path, point })
  await begin()
  await control.waitHeld(hold.id, 60_000)
  await story.operator.stop('SIGKILL')
  control.release(hold.id, 'reset')
  await meanwhile()
  story.operator = await story.start()
}

function failing(action: FaultAction): void {
  const [method, path] = TAKE
  story.simulator.control.addFault({ method, path, point: 'afterCommit', action })
}

/** Asked about exactly one, which is there; nothing was taken beside it, and nothing is while it is looked at. */
async function askedAboutOne(name: string, before: readonly string[], since: number): Promise<string> {
  const { candidates, operation, message } = await asked(story, name)
  const [candidate = ''] = candidates
  expect(candidates).toHaveLength(1)
  expect(before).not.toContain(candidate)
  expect([...copyIDs(story, vm)].sort()).toEqual([...before, candidate].sort())
  expect(message).toContain(candidate)
  await lookedAt(story, 'cloudsnapshot', name)
  expect(callsTo(story, TAKE, since)).toBe(1)
  await annotate(story, 'cloudsnapshot', name, 'resolve', `${operation}=${candidate}`)
  const object = await story.ready('cloudsnapshot', name)
  expect(idOf(object)).toBe(candidate)
  expect(object.status).not.toHaveProperty('operation')
  expect(callsTo(story, TAKE, since)).toBe(1)
  return candidate
}

test('killed when it was taken and before the answer: asked about that one, and it is that one', async () => {
  const [before, since] = [copyIDs(story, vm), lastCall(story)]
  await killedAt('afterCommit', TAKE, () => take('committed'))
  await askedAboutOne('committed', before, since)
}, 120_000)

test.each<[string, FaultAction]>([
  ['lost', { reset: true }],
  ['an error', { answer: { status: 500, body: { message: 'internal error' } } }],
  ['a refusal', { answer: { status: 400, body: { errors: { Error: 'failed' } } } }],
  ['about another disk', { answer: { status: 200, body: { uuid: 'another', replica: [] } } }],
])(
  'the answer is %s: asked about that one, and it is that one',
  async (what, action) => {
    const [before, since] = [copyIDs(story, vm), lastCall(story)]
    failing(action)
    const name = `answer-${what.replaceAll(' ', '-')}`
    await take(name)
    await askedAboutOne(name, before, since)
  },
  120_000,
)

test('the answer does not show which it was: looked for, and found without a question', async () => {
  const [before, since] = [copyIDs(story, vm), lastCall(story)]
  const [uuid] = cloudRow(story, 'vms', vm)?.['storage'] as string[]
  failing({ answer: { status: 200, body: { uuid } } })
  await take('unnamed')
  const id = idOf(await story.ready('cloudsnapshot', 'unnamed'))
  expect([...copyIDs(story, vm)].sort()).toEqual([...before, id].sort())
  expect(callsTo(story, TAKE, since)).toBe(1)
}, 120_000)

test('the one in question is deleted in the console: another one is taken', async () => {
  const [before, since] = [copyIDs(story, vm), lastCall(story)]
  failing({ reset: true })
  await take('again')
  const { candidates } = await asked(story, 'again')
  await dropBehind(story, candidates[0] ?? '')
  const id = idOf(await story.ready('cloudsnapshot', 'again'))
  expect(candidates).not.toContain(id)
  expect([...copyIDs(story, vm)].sort()).toEqual([...before, id].sort())
  expect(callsTo(story, TAKE, since)).toBe(2)
}, 120_000)

test('killed before it was taken: taken by the second call, without a question', async () => {
  const [before, since] = [copyIDs(story, vm), lastCall(story)]
  await killedAt('before', TAKE, () => take('never'))
  const id = idOf(await story.ready('cloudsnapshot', 'never'))
  expect([...copyIDs(story, vm)].sort()).toEqual([...before, id].sort())
  expect(callsTo(story, TAKE, since)).toBe(2)
}, 120_000)

test('killed when it was taken, and deleted before the restart: asked, and then nothing is left', async () => {
  const [before, since] = [copyIDs(story, vm), lastCall(story)]
  await killedAt(
    'afterCommit',
    TAKE,
    () => take('brief'),
    () => remove('brief'),
  )
  const { candidates, operation } = await asked(story, 'brief')
  await annotate(story, 'cloudsnapshot', 'brief', 'resolve', `${operation}=${candidates[0] ?? ''}`)
  await story.gone('cloudsnapshot', 'brief')
  expect(copyIDs(story, vm)).toEqual(before)
  expect(callsTo(story, TAKE, since)).toBe(1)
  expect(callsTo(story, DROP, since)).toBe(1)
}, 120_000)

test('the status is wiped: asked which one is its own, and nothing is taken', async () => {
  const [before, since] = [copyIDs(story, vm), lastCall(story)]
  const id = idOf(await story.ready('cloudsnapshot', 'unnamed'))
  const patch = JSON.stringify([{ op: 'replace', path: '/status', value: {} }])
  await story.run(
    ...['patch', 'cloudsnapshot', 'unnamed', '--subresource=status', '--type=json', `--patch=${patch}`],
  )
  const { candidates, operation } = await asked(story, 'unnamed')
  // All others belong to other objects.
  expect(candidates).toEqual([id])
  await annotate(story, 'cloudsnapshot', 'unnamed', 'resolve', `${operation}=${id}`)
  expect(idOf(await story.ready('cloudsnapshot', 'unnamed'))).toBe(id)
  expect(copyIDs(story, vm)).toEqual(before)
  expect(callsTo(story, TAKE, since)).toBe(0)
}, 120_000)

test.each([
  ['committed', 'committed', 'afterCommit', 1],
  ['not committed', 'never', 'before', 2],
] as const)(
  'killed when its deletion was %s: gone, alone',
  async (_when, name, point, times) => {
    const id = idOf(await story.ready('cloudsnapshot', name))
    const [before, since] = [copyIDs(story, vm), lastCall(story)]
    await killedAt(point, DROP, () => remove(name))
    await story.gone('cloudsnapshot', name)
    expect(copyIDs(story, vm)).toEqual(before.filter((each) => each !== id))
    expect(callsTo(story, DROP, since)).toBe(times)
  },
  120_000,
)

test('every answer to a deletion is lost: gone, alone', async () => {
  const id = idOf(await story.ready('cloudsnapshot', 'again'))
  const [before, since] = [copyIDs(story, vm), lastCall(story)]
  const [method, path] = DROP
  story.simulator.control.addFault({ method, path, point: 'afterCommit', action: { reset: true } })
  await remove('again')
  await story.gone('cloudsnapshot', 'again')
  expect(copyIDs(story, vm)).toEqual(before.filter((each) => each !== id))
  expect(callsTo(story, DROP, since)).toBe(1)
}, 120_000)
