/** Operations on machines that are killed, refused, ignored, crossed or deleted half-way: nothing is sent twice, nothing stays off. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type Story } from '../story.ts'
import { cloudRow, idOf, sent } from './calls.ts'
import {
  calls,
  confirmed,
  ended,
  killedAt,
  operation,
  REBUILD,
  REINSTALL,
  RESCUE,
  START,
  STOP,
  text,
  words,
  type Call,
  type Ending,
} from './operations.ts'
import { endOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

const PATCH: Call = ['PATCH', '/user-resource/vm']

let story: Story
/** Identity of the machine web. */
let web: string
beforeAll(async () => {
  story = await startStory('vmoperation-interrupted')
  await story.apply(
    manifest('CloudVM', 'web', SMALL_VM),
    manifest('CloudSnapshot', 'nightly', { vmRef: { name: 'web' } }),
  )
  web = idOf(await story.ready('cloudvm', 'web'))
  await story.ready('cloudsnapshot', 'nightly')
})
afterAll(() => endOrderly(story))

const power = () => cloudRow(story, 'vms', web)?.['status']
const run = (name: string, spec: object) => story.apply(operation(name, 'web', spec))
const rebuild = { rebuild: { snapshotRef: { name: 'nightly' } } }

test.each<[string, object, Call, 'before' | 'afterCommit', Ending, Call[]]>([
  ['a restart, its stop committed', { restart: {} }, STOP, 'afterCommit', 'Complete', [STOP, START]],
  ['a restart, its stop not arrived', { restart: {} }, STOP, 'before', 'OutcomeUnknown', [STOP]],
  ['a restart, its start committed', { restart: {} }, START, 'afterCommit', 'Complete', [STOP, START]],
  ['a restart, its start not arrived', { restart: {} }, START, 'before', 'Complete', [STOP, START, START]],
  ['a rescue, its stop committed', { rescue: {} }, STOP, 'afterCommit', 'Complete', [STOP, RESCUE]],
  ['a rescue, its stop not arrived', { rescue: {} }, STOP, 'before', 'OutcomeUnknown', [STOP]],
  ['a rescue, its start committed', { rescue: {} }, RESCUE, 'afterCommit', 'OutcomeUnknown', [STOP, RESCUE]],
  ['a rescue, not arrived', { rescue: {} }, RESCUE, 'before', 'OutcomeUnknown', [STOP, RESCUE, START]],
  ['a reinstall, committed', { reinstall: {} }, REINSTALL, 'afterCommit', 'OutcomeUnknown', [REINSTALL]],
  ['a reinstall, not arrived', { reinstall: {} }, REINSTALL, 'before', 'OutcomeUnknown', [REINSTALL]],
  ['a rebuild, committed', rebuild, REBUILD, 'afterCommit', 'OutcomeUnknown', [REBUILD]],
  ['a rebuild, not arrived', rebuild, REBUILD, 'before', 'OutcomeUnknown', [REBUILD]],
])(
  'killed: %s: sent once, and the machine runs',
  async (what, spec, call, point, ending, expected) => {
    const name = what.replace(/\W+/g, '-')
    const destroys = 'reinstall' in spec || 'rebuild' in spec
    const since = lastCall(story)
    await killedAt(story, call, point, () => run(name, { ...spec, ...(destroys && confirmed(web)) }))
    const object = await ended(story, name, ending)
    expect(calls(story, since)).toEqual(text(...expected))
    expect(power()).toBe('running')
    expect(conditionOf(object, 'Stalled')?.reason).toBe(ending === 'Complete' ? undefined : 'OutcomeUnknown')
    await lookedAt(story, 'cloudvmoperation', name)
    await story.ready('cloudvm', 'web')
    expect(calls(story, since)).toEqual(text(...expected))
  },
  120_000,
)

test('a reinstall whose answer is lost: not sent again', async () => {
  const since = lastCall(story)
  const [method, path] = REINSTALL
  story.simulator.control.addFault({ method, path, point: 'afterCommit', action: { reset: true } })
  await run('reset', { reinstall: {}, ...confirmed(web) })
  expect(words(await ended(story, 'reset', 'OutcomeUnknown'))).toContain('its result is not known')
  expect(calls(story, since)).toEqual(text(REINSTALL))
}, 120_000)

test('a status that was lost after the call: it counts as sent', async () => {
  const since = lastCall(story)
  const [method, path] = REINSTALL
  const hold = story.simulator.control.hold({ method, path, point: 'before' })
  await run('wiped', { reinstall: {}, ...confirmed(web) })
  await story.simulator.control.waitHeld(hold.id, 60_000)
  await story.operator.stop('SIGKILL')
  story.simulator.control.release(hold.id, 'reset')
  const patch = JSON.stringify([{ op: 'replace', path: '/status', value: {} }])
  const wipe = ['--subresource=status', '--type=json', `--patch=${patch}`]
  await story.run('patch', 'cloudvmoperation', 'wiped', ...wipe)
  story.operator = await story.start()
  await ended(story, 'wiped', 'OutcomeUnknown')
  expect(calls(story, since)).toEqual(text(REINSTALL))
}, 120_000)

test('a busy machine: asked again until it is not, and done once', async () => {
  const { control } = story.simulator
  const since = lastCall(story)
  control.mutate({ do: 'setVm', uuid: web, set: { busy: true } })
  await run('busy', { restart: {} })
  await story.until('cloudvmoperation', 'busy', 'told that the machine is busy', (each) => {
    const told = words(each).startsWith('the service cannot shut the virtual machine down yet')
    return told && each.status?.['sent'] === undefined
  })
  control.mutate({ do: 'setVm', uuid: web, set: { busy: false } })
  await ended(story, 'busy', 'Complete')
  const stopped = control
    .calls({ since, mutationsOnly: true })
    .filter(({ effect }) => effect?.includes('stopped'))
  expect(stopped).toHaveLength(1)
}, 120_000)

test('a busy machine whose disk would be lost: not asked again, for the answer may not be true', async () => {
  const { control } = story.simulator
  const since = lastCall(story)
  control.mutate({ do: 'setVm', uuid: web, set: { busy: true } })
  await run('busy-once', { reinstall: {}, ...confirmed(web) })
  const failed = await ended(story, 'busy-once', 'Failed')
  expect(words(failed)).toContain('the service refused to install the operating system anew')
  control.mutate({ do: 'setVm', uuid: web, set: { busy: false } })
  await story.ready('cloudvm', 'web')
  expect(calls(story, since)).toEqual(text(REINSTALL))
}, 120_000)

test('the rescue system refused: the machine is started again, and the service’s words are told', async () => {
  const since = lastCall(story)
  const [method, path] = RESCUE
  const answer = { status: 400, body: { errors: { Error: 'no rescue image here' } } }
  story.simulator.control.addFault({ method, path, point: 'before', action: { answer } })
  await run('refused', { rescue: {} })
  const failed = await ended(story, 'refused', 'Failed')
  expect(words(failed)).toContain('"no rescue image here"')
  expect(calls(story, since)).toEqual(text(STOP, RESCUE, START))
  expect(power()).toBe('running')
}, 120_000)

test('two restarts at once: one after the other', async () => {
  const since = lastCall(story)
  await story.apply(operation('first', 'web', { restart: {} }), operation('second', 'web', { restart: {} }))
  for (const name of ['first', 'second']) await ended(story, name, 'Complete')
  expect(calls(story, since)).toEqual(text(STOP, START, STOP, START))
}, 120_000)

test('a restart during a change of size, and a change of size during a restart', async () => {
  const { control } = story.simulator
  let since = lastCall(story)
  const size = control.hold({ method: PATCH[0], path: PATCH[1], point: 'before' })
  await story.edit('cloudvm', 'web', { spec: { vcpus: 2 } })
  await control.waitHeld(size.id, 60_000)
  await run('crossed', { restart: {} })
  const waiting = await story.reason('cloudvmoperation', 'crossed', 'WaitingForCloud')
  expect(words(waiting)).toContain('CloudVM web')
  control.release(size.id)
  await ended(story, 'crossed', 'Complete')
  await story.ready('cloudvm', 'web')
  expect(calls(story, since)).toEqual(text(STOP, PATCH, START, STOP, START))

  since = lastCall(story)
  const start = control.hold({ method: START[0], path: START[1], point: 'before' })
  await run('crossing', { restart: {} })
  await control.waitHeld(start.id, 60_000)
  await story.edit('cloudvm', 'web', { spec: { vcpus: 1 } })
  await story.operator.stop('SIGKILL')
  control.release(start.id, 'reset')
  story.operator = await story.start()
  await ended(story, 'crossing', 'Complete')
  await story.ready('cloudvm', 'web')
  expect(calls(story, since)).toEqual(text(STOP, START, START, STOP, PATCH, START))
  expect(cloudRow(story, 'vms', web)).toMatchObject({ status: 'running', vcpu: 1 })
}, 120_000)

test('a guest that does not shut down: waited for, forced once where the CloudVM says so', async () => {
  const { control } = story.simulator
  control.setRule('acpiIgnored', true)
  await story.edit('cloudvm', 'web', { spec: { stop: { timeoutSeconds: 1 } } })
  const since = lastCall(story)
  await run('ignored', { restart: {} })
  await story.until('cloudvmoperation', 'ignored', 'waiting for the guest', (each) =>
    words(each).includes('still runs after spec.stop.timeoutSeconds'),
  )
  // Its machine is its own until it has ended.
  await story.edit('cloudvm', 'web', { spec: { vcpus: 2 } })
  const held = await story.reason('cloudvm', 'web', 'WaitingForCloud')
  expect(words(held)).toContain('CloudVMOperation ignored is under way')
  await story.edit('cloudvm', 'web', { spec: { vcpus: 1, stop: { mode: 'GracefulThenForce' } } })
  await ended(story, 'ignored', 'Complete')
  expect(sent(story, since)).toEqual([
    ['POST /user-resource/vm/stop', { uuid: web, force: 'false' }],
    ['POST /user-resource/vm/stop', { uuid: web, force: 'true' }],
    ['POST /user-resource/vm/start', { uuid: web }],
  ])
  control.setRule('acpiIgnored', false)
  await story.edit('cloudvm', 'web', { spec: { stop: null } })
  await story.ready('cloudvm', 'web')
}, 120_000)

test('deleted half-way: found out about, the machine started, and let go', async () => {
  const since = lastCall(story)
  const [method, path] = STOP
  const hold = story.simulator.control.hold({ method, path, point: 'afterCommit' })
  await run('dropped', { restart: {} })
  await story.simulator.control.waitHeld(hold.id, 60_000)
  await story.operator.stop('SIGKILL')
  story.simulator.control.release(hold.id, 'reset')
  await story.run('delete', 'cloudvmoperation', 'dropped', '--wait=false')
  expect((await story.get('cloudvmoperation', 'dropped'))?.metadata.finalizers).toHaveLength(1)
  story.operator = await story.start()
  await story.gone('cloudvmoperation', 'dropped')
  expect(calls(story, since)).toEqual(text(STOP, START))
  await story.ready('cloudvm', 'web')
  expect(power()).toBe('running')
}, 120_000)

test('its status emptied once it has ended: not done again, and let go when it is deleted', async () => {
  await run('emptied', { reinstall: {}, ...confirmed(web) })
  await ended(story, 'emptied', 'Complete')
  await story.ready('cloudvm', 'web')
  const since = lastCall(story)
  const nothing = JSON.stringify([{ op: 'replace', path: '/status', value: { observedGeneration: -1 } }])
  const flags = ['--subresource=status', '--type=json', `--patch=${nothing}`]
  await story.run('patch', 'cloudvmoperation', 'emptied', ...flags)
  const over = await story.until(
    'cloudvmoperation',
    'emptied',
    'ended as OutcomeUnknown',
    (each) => conditionOf(each, 'OutcomeUnknown')?.status === 'True',
  )
  expect(words(over)).toContain('has begun before')
  await story.run('delete', 'cloudvmoperation', 'emptied', '--wait=false')
  await story.gone('cloudvmoperation', 'emptied')
  expect(calls(story, since)).toEqual([])
}, 120_000)

test('a reinstall deleted before its result is known: held for the settle time at most, and not sent again', async () => {
  const since = lastCall(story)
  await killedAt(story, REINSTALL, 'before', async () => {
    await run('unsettled', { reinstall: {}, ...confirmed(web) })
  })
  await story.run('delete', 'cloudvmoperation', 'unsettled', '--wait=false')
  await story.gone('cloudvmoperation', 'unsettled')
  expect(calls(story, since)).toEqual(text(REINSTALL))
}, 120_000)

test('a machine that is being deleted: the operation gives way', async () => {
  const { control } = story.simulator
  control.setRule('acpiIgnored', true)
  await story.apply(manifest('CloudVM', 'old', { ...SMALL_VM, stop: { mode: 'GracefulThenForce' } }))
  const old = idOf(await story.ready('cloudvm', 'old'))
  await story.apply(operation('begun', 'old', { restart: {} }))
  await story.until('cloudvmoperation', 'begun', 'begun', (each) => words(each).includes('shut down'))
  const remove: Call = ['DELETE', '/user-resource/vm']
  const hold = control.hold({ method: remove[0], path: remove[1], point: 'before' })
  await story.edit('cloudvm', 'old', { spec: { stop: { mode: 'Force' } } })
  await story.run('delete', 'cloudvm', 'old', '--wait=false')
  const begun = await ended(story, 'begun', 'Failed')
  expect(conditionOf(begun, 'Failed')?.reason).toBe('ReferenceInvalid')
  await control.waitHeld(hold.id, 60_000)
  await story.apply(operation('late', 'old', { restart: {} }))
  expect(words(await ended(story, 'late', 'Failed'))).toContain('CloudVM old is being deleted')
  control.release(hold.id)
  await story.gone('cloudvm', 'old')
  expect(cloudRow(story, 'vms', old)?.['status']).not.toBe('running')
  control.setRule('acpiIgnored', false)
}, 120_000)
