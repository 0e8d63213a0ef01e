/** The operator is killed in the middle of a sequence, at each of its calls: it ends as wished, and nothing is done twice. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { startStory, type Story } from '../story.ts'
import { cloudRow, idOf, sent, toldUnsupported } from './calls.ts'
import { onProfile } from './differences.ts'
import { expectOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

type Call = readonly [method: string, path: string]
const STOP: Call = ['POST', '/user-resource/vm/stop']
const PATCH: Call = ['PATCH', '/user-resource/vm']
const START: Call = ['POST', '/user-resource/vm/start']
const BACKUP: Call = ['POST', '/user-resource/vm/backup']
const ATTACH: Call = ['POST', '/user-resource/vm/storage/attach']
const DETACH: Call = ['POST', '/user-resource/vm/storage/detach']

let story: Story
/** Identities of two machines. */
let a: string
let b: string
beforeAll(async () => {
  story = await startStory('interrupted')
  await story.apply(manifest('CloudVM', 'a', SMALL_VM), manifest('CloudVM', 'b', SMALL_VM))
  a = idOf(await story.ready('cloudvm', 'a'))
  b = idOf(await story.ready('cloudvm', 'b'))
})
afterAll(async () => {
  expectOrderly(story)
  await story.end()
})

type Point = 'before' | 'afterCommit'

/** Edits, is killed at this call, starts anew and waits until all is as wished; the calls that took. */
async function interrupted(
  [method, path]: Call,
  point: Point,
  [kind, name]: readonly [kind: string, name: string],
  spec: unknown,
): Promise<string[]> {
  const { control } = story.simulator
  const since = lastCall(story)
  const hold = control.hold({ method, path, point })
  await story.edit(kind, name, { spec })
  await control.waitHeld(hold.id, 60_000)
  await story.operator.stop('SIGKILL')
  control.release(hold.id, 'reset')
  story.operator = await story.start()
  const object = await story.ready(kind, name)
  expect(object.status).not.toHaveProperty('operation')
  return sent(story, since).map(([call]) => call)
}

const text = (...calls: readonly Call[]) => calls.map((call) => call.join(' '))

test.each<[string, Call, Point, number, Call[]]>([
  ['the stop was committed', STOP, 'afterCommit', 2, [STOP, PATCH, START]],
  ['the stop had not arrived', STOP, 'before', 3, [STOP, STOP, PATCH, START]],
  ['the new size was committed', PATCH, 'afterCommit', 4, [STOP, PATCH, START]],
  ['the new size had not arrived', PATCH, 'before', 5, [STOP, PATCH, PATCH, START]],
  ['the start was committed', START, 'afterCommit', 6, [STOP, PATCH, START]],
  ['the start had not arrived', START, 'before', 7, [STOP, PATCH, START, START]],
])(
  'a resize, killed when %s: it runs at the new size',
  async (_when, call, point, vcpus, calls) => {
    expect(await interrupted(call, point, ['cloudvm', 'a'], { vcpus })).toEqual(text(...calls))
    expect(cloudRow(story, 'vms', a)).toMatchObject({ status: 'running', vcpu: vcpus })
    expect((await story.ready('cloudvm', 'a')).status).not.toHaveProperty('resize')
  },
  120_000,
)

test('a toggle of backups: as wished, and toggled exactly once', async () => {
  const committed = await interrupted(BACKUP, 'afterCommit', ['cloudvm', 'a'], { backups: 'Enabled' })
  expect(committed).toEqual(text(BACKUP))
  expect(cloudRow(story, 'vms', a)).toMatchObject({ backup: true })
  const before = await interrupted(BACKUP, 'before', ['cloudvm', 'a'], { backups: 'Disabled' })
  expect(before).toEqual(text(BACKUP, BACKUP)) // the first of which never arrived
  expect(cloudRow(story, 'vms', a)).toMatchObject({ backup: false })
}, 120_000)

test('a disk that is attached and moved: on one machine, its data kept', async () => {
  await story.apply(manifest('CloudDisk', 'data', { sizeGiB: 10 }))
  const id = idOf(await story.ready('clouddisk', 'data'))
  const token = cloudRow(story, 'disks', id)?.['dataToken']
  const disk = ['clouddisk', 'data'] as const
  const [onA, onB] = [{ vmRef: { name: 'a' } }, { vmRef: { name: 'b' } }]
  expect(await interrupted(ATTACH, 'afterCommit', disk, onA)).toEqual(text(ATTACH))
  expect(await interrupted(DETACH, 'afterCommit', disk, onB)).toEqual(text(DETACH, ATTACH))
  expect(await interrupted(DETACH, 'before', disk, onA)).toEqual(text(DETACH, DETACH, ATTACH))
  expect(await interrupted(ATTACH, 'before', disk, onB)).toEqual(text(DETACH, ATTACH, ATTACH))
  expect(cloudRow(story, 'disks', id)).toMatchObject({ attachedTo: b, dataToken: token })
  expect(cloudRow(story, 'vms', a)?.['storage']).toHaveLength(1)
}, 240_000)

test('an address that is assigned and moved: assigned to the last wish', async () => {
  await story.apply(manifest('CloudFloatingIP', 'public', {}))
  const object = await story.ready('cloudfloatingip', 'public')
  const path = `/network/ip_addresses/${String(object.status?.['address'])}`
  const [assign, unassign] = [['POST', `${path}/assign`] as const, ['POST', `${path}/unassign`] as const]
  const ip = ['cloudfloatingip', 'public'] as const
  expect(await interrupted(assign, 'afterCommit', ip, { vmRef: { name: 'a' } })).toEqual(text(assign))
  expect(await interrupted(unassign, 'afterCommit', ip, { vmRef: { name: 'b' } })).toEqual(
    text(unassign, assign),
  )
  expect(cloudRow(story, 'floatingIps', idOf(object))).toMatchObject({ assignedTo: b })
}, 120_000)

test('a load balancer whose rule is changed: one rule for the port', async () => {
  await story.apply(manifest('CloudLoadBalancer', 'entry', { rules: [{ sourcePort: 80, targetPort: 8080 }] }))
  const id = idOf(await story.ready('cloudloadbalancer', 'entry'))
  const spec = { rules: [{ sourcePort: 80, targetPort: 9090 }] }
  await onProfile(story, 'load balancers as made', {
    extended: async () => {
      const rules = `/network/load_balancers/${id}/forwarding_rules`
      const add = ['POST', rules] as const
      const calls = await interrupted(add, 'afterCommit', ['cloudloadbalancer', 'entry'], spec)
      expect(calls.map((call) => call.replace(/\/[^/]+$/, ''))).toEqual([
        `DELETE ${rules}`,
        `POST /network/load_balancers/${id}`,
      ])
      expect(cloudRow(story, 'loadBalancers', id)?.['rules']).toMatchObject(spec.rules)
    },
    documented: async () => {
      const before = cloudRow(story, 'loadBalancers', id)
      const since = lastCall(story)
      await story.edit('cloudloadbalancer', 'entry', { spec })
      await toldUnsupported(story, 'cloudloadbalancer', 'entry', since)
      await story.operator.stop('SIGKILL')
      story.operator = await story.start()
      await lookedAt(story, 'cloudloadbalancer', 'entry')
      await toldUnsupported(story, 'cloudloadbalancer', 'entry', since)
      expect(cloudRow(story, 'loadBalancers', id)).toEqual(before)
    },
  })
}, 120_000)

test('a machine deleted with a disk of ours on it: killed when the detach was committed, the disk lives', async () => {
  const { control } = story.simulator
  const disk = await story.ready('clouddisk', 'data')
  const token = cloudRow(story, 'disks', idOf(disk))?.['dataToken']
  const hold = control.hold({ method: 'POST', path: DETACH[1], point: 'afterCommit' })
  const since = lastCall(story)
  await story.run('delete', 'cloudvm', 'b', '--wait=false')
  await control.waitHeld(hold.id, 60_000)
  await story.operator.stop('SIGKILL')
  control.release(hold.id, 'reset')
  story.operator = await story.start()
  await story.gone('cloudvm', 'b')
  const calls = sent(story, since).map(([call]) => call)
  expect(calls.filter((call) => call === text(DETACH)[0])).toHaveLength(1)
  expect(calls.at(-1)).toBe('DELETE /user-resource/vm')
  expect(cloudRow(story, 'disks', idOf(disk))).toMatchObject({ attachedTo: null, dataToken: token })
  expect(control.counters().lostDataTokens).not.toContain(token)
}, 120_000)

test('a resize on a service that takes its time, killed while the machine goes down and while it comes up', async () => {
  const slow = await startStory('interrupted-slow', { timing: { scale: 0.05 } })
  onTestFinished(() => slow.end())
  await slow.apply(manifest('CloudVM', 'slow', SMALL_VM))
  const id = idOf(await slow.ready('cloudvm', 'slow'))
  const since = lastCall(slow)
  const state = () => cloudRow(slow, 'vms', id)?.['status']
  for (const [vcpus, word] of [
    [2, 'stopping'],
    [3, 'starting'],
  ] as const) {
    await slow.edit('cloudvm', 'slow', { spec: { vcpus } })
    await expect.poll(state, { timeout: 60_000, interval: 5 }).toBe(word)
    await slow.operator.stop('SIGKILL')
    slow.operator = await slow.start()
    await slow.ready('cloudvm', 'slow')
    expect(cloudRow(slow, 'vms', id)).toMatchObject({ status: 'running', vcpu: vcpus })
  }
  const calls = sent(slow, since).map(([call]) => call)
  expect(calls).toEqual(text(STOP, PATCH, START, STOP, PATCH, START))
  expectOrderly(slow)
}, 180_000)
