/** Clones: exactly one whatever happens meanwhile, with a name and a size of its own; the original is as it was. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { cloudRow, idOf, sent } from './calls.ts'
import { changes, endOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

const CLONE = 'POST /user-resource/vm/clone'
const CALL = { method: 'POST', path: '/user-resource/vm/clone' } as const

let story: Story
/** Identity of the original. */
let original: string
beforeAll(async () => {
  story = await startStory('clones')
  await story.apply(
    manifest('CloudVM', 'original', { ...SMALL_VM, publicIP: 'Reserve', description: 'made by hand' }),
  )
  original = idOf(await story.ready('cloudvm', 'original'))
})
afterAll(() => endOrderly(story))

const message = (object: AnyObject) => conditionOf(object, 'Ready')?.message
const cloning = (name: string, more: object = {}, source = 'original') =>
  manifest('CloudVM', name, { source: { vmRef: { name: source } }, ...more })
const clones = (since: number) => sent(story, since).filter(([call]) => call === CLONE)
const vms = () => story.simulator.control.inventory().vms

/** Exactly one was asked for and made, under the name of its object. */
async function expectOne(name: string, since: number, asked = 1): Promise<string> {
  const object = await story.ready('cloudvm', name)
  expect(object.status).not.toHaveProperty('operation')
  const id = idOf(object)
  expect(id).not.toBe(original)
  expect(
    vms()
      .filter((each) => each['name'] === name)
      .map((each) => each['uuid']),
  ).toEqual([id])
  expect(vms().filter((each) => /-[a-z2-7]{14}$/.test(String(each['name'])))).toEqual([])
  expect(clones(since)).toHaveLength(asked)
  return id
}

test('made under a name with its marker, renamed, brought to its own size; with an address, which goes with it', async () => {
  const { control } = story.simulator
  const since = lastCall(story)
  const before = cloudRow(story, 'vms', original)
  const all = control.inventory()
  const size = { vcpus: 2, memoryMiB: 2048, bootDisk: { sizeGiB: 30 }, backups: 'Enabled' }
  await story.apply(cloning('copy', size))
  const id = await expectOne('copy', since)
  const calls = sent(story, since)
  expect(calls[0]).toEqual([
    CLONE,
    { uuid: original, name: expect.stringMatching(/^copy-[a-z2-7]{14}$/) as string },
  ])
  expect(calls[1]).toEqual(['PATCH /user-resource/vm', { uuid: id, name: 'copy' }])
  expect(calls.every(([call, parameters]) => call === CLONE || parameters['uuid'] === id)).toBe(true)
  expect(cloudRow(story, 'vms', id)).toMatchObject({
    status: 'running',
    vcpu: 2,
    memoryMib: 2048,
    backup: true,
    username: 'admin',
  })
  expect(cloudRow(story, 'vms', original)).toEqual(before)
  const { status } = (await story.get('cloudvm', 'copy')) ?? {}
  expect(status).toMatchObject({ bootDiskGiB: 30, publicIPs: [expect.any(String) as string] })
  expect(status?.['reservedIP']).toMatchObject({ address: (status?.['publicIPs'] as string[])[0] })
  // Its description is the original's, with the original's marker: both stay whose they are.
  await lookedAt(story, 'cloudvm', 'original')
  expect(idOf(await story.ready('cloudvm', 'original'))).toBe(original)

  await story.run('delete', 'cloudvm', 'copy', '--wait=false')
  await story.gone('cloudvm', 'copy')
  expect(control.inventory()).toEqual(all)
})

test('a status of the original that is lost does not lead to its clone', async () => {
  const since = lastCall(story)
  await story.apply(cloning('twin'))
  const twin = await expectOne('twin', since)
  const patch = JSON.stringify([{ op: 'replace', path: '/status', value: {} }])
  await story.run('patch', 'cloudvm', 'original', '--subresource=status', '--type=json', `--patch=${patch}`)
  expect(idOf(await story.ready('cloudvm', 'original'))).toBe(original)
  expect(idOf(await story.ready('cloudvm', 'twin'))).toBe(twin)
})

test.each(['afterCommit', 'before'] as const)('killed %s the clone: exactly one', async (point) => {
  const { control } = story.simulator
  const name = point === 'before' ? 'arrived' : 'committed'
  const since = lastCall(story)
  const hold = control.hold({ ...CALL, point })
  await story.apply(cloning(name))
  await control.waitHeld(hold.id, 60_000)
  await story.operator.stop('SIGKILL')
  control.release(hold.id, 'reset')
  story.operator = await story.start()
  await expectOne(name, since, point === 'before' ? 2 : 1)
})

test('answers that say nothing or something wrong: exactly one', async () => {
  const { control } = story.simulator
  for (const [name, action] of [
    ['reset', { reset: true }],
    ['failed', { answer: { status: 500, body: { errors: { Error: 'Internal error' } } } }],
    ['denied', { answer: { status: 400, body: { errors: { Error: 'Something is wrong' } } } }],
    ['torn', { truncate: true }],
  ] as const) {
    const since = lastCall(story)
    control.addFault({ ...CALL, point: 'afterCommit', action })
    await story.apply(cloning(name))
    await expectOne(name, since)
  }
  control.clearFaults()
})

test('a service that does not clone a running machine, or is busy with it: said plainly, and it is never stopped', async () => {
  const { control } = story.simulator
  const since = lastCall(story)
  const refused = { status: 400, body: { errors: { Error: 'The virtual machine must be stopped' } } }
  control.addFault({ ...CALL, point: 'before', times: 100, action: { answer: refused } })
  await story.apply(cloning('patient'))
  const waits = await story.reason('cloudvm', 'patient', 'WaitingForDependency')
  expect(message(waits)).toMatch(
    /^spec\.source\.vmRef: the service does not clone CloudVM original as it is: "The virtual machine must be stopped"/,
  )
  control.clearFaults()
  const busy = { status: 409, body: { errors: { Error: 'locked, another operation is running' } } }
  control.addFault({ ...CALL, point: 'before', times: 2, action: { answer: busy } })
  const id = idOf(await story.ready('cloudvm', 'patient'))
  const others = changes(story, since).filter((each) => !each.startsWith(CLONE))
  expect(others).toEqual([`PATCH /user-resource/vm 200: changed vm ${id}`])
  control.clearFaults()
})

test('the original is deleted while its clone is open: exactly one clone, which outlives it', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudVM', 'brief', SMALL_VM))
  const brief = idOf(await story.ready('cloudvm', 'brief'))
  const since = lastCall(story)
  const hold = control.hold({ ...CALL, point: 'afterCommit' })
  await story.apply(cloning('heir', {}, 'brief'))
  await control.waitHeld(hold.id, 60_000)
  await story.run('delete', 'cloudvm', 'brief', '--wait=false')
  await story.operator.stop('SIGKILL')
  control.release(hold.id, 'reset')
  story.operator = await story.start()
  await expectOne('heir', since)
  await story.gone('cloudvm', 'brief')
  expect(vms().map((each) => each['uuid'])).not.toContain(brief)
})

test('the status of a clone is lost: it is asked about, and nothing is made beside it', async () => {
  const since = lastCall(story)
  await story.apply(cloning('forgotten'))
  const id = await expectOne('forgotten', since)
  const patch = JSON.stringify([{ op: 'replace', path: '/status', value: {} }])
  await story.run('patch', 'cloudvm', 'forgotten', '--subresource=status', '--type=json', `--patch=${patch}`)
  const asked = await story.until('cloudvm', 'forgotten', 'asked', (each) => {
    return conditionOf(each, 'Stalled')?.reason === 'CreateOutcomeUnknown'
  })
  const operation = asked.status?.['operation'] as { id: string; candidates: string[] }
  expect(operation.candidates).toEqual([id])
  const answer = `cloud-operator.dev/resolve=${operation.id}=${id}`
  await story.run('annotate', 'cloudvm', 'forgotten', answer)
  expect(await expectOne('forgotten', since)).toBe(id)
})

test('what a clone takes from its original is refused beside it', async () => {
  const spec = { source: { vmRef: { name: 'original' } }, networkRef: { name: 'front' } }
  const text = await story.refused(['apply', '-f', '-'], manifest('CloudVM', 'wrong', spec))
  expect(text).toContain('a clone takes these from the original, so leave them out: networkRef, pool')
})
