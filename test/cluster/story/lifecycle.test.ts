/** Holding the operator back: pause, approval, and asking it to look. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { annotate, changes, endOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('lifecycle')))
afterAll(() => endOrderly(story))

const idOf = (object: AnyObject) => String(object.status?.['id'])
const planOf = (object: AnyObject) => object.status?.['plan'] as { id: string; steps: string[] } | undefined
const effects = (since: number) => changes(story, since).map((each) => each.replace(/^.*\d\d\d: /, ''))
const vmRow = (id: string) => story.simulator.control.inventory().vms.find((each) => each['uuid'] === id)

test('while paused an edit is not applied; unpaused, it is at once', async () => {
  await story.apply(manifest('CloudNetwork', 'calm', {}))
  await story.ready('cloudnetwork', 'calm')
  await annotate(story, 'cloudnetwork', 'calm', 'paused', 'true')
  const settled = await story.until(
    'cloudnetwork',
    'calm',
    'paused',
    (each) => conditionOf(each, 'Paused') !== undefined,
  )
  expect(conditionOf(settled, 'Ready')?.status).toBe('True')
  expect(conditionOf(settled, 'Synced')?.status).toBe('True')

  const since = lastCall(story)
  await story.edit('cloudnetwork', 'calm', { spec: { name: 'edited' } })
  const paused = await story.until('cloudnetwork', 'calm', 'paused at the new generation', (each) => {
    return conditionOf(each, 'Paused')?.observedGeneration === each.metadata.generation
  })
  expect(conditionOf(paused, 'Ready')?.status).toBe('True')
  expect(conditionOf(paused, 'Synced')).toMatchObject({ status: 'Unknown', reason: 'Paused' })
  await lookedAt(story, 'cloudnetwork', 'calm')
  expect(changes(story, since)).toEqual([])

  await annotate(story, 'cloudnetwork', 'calm', 'paused')
  const ready = await story.ready('cloudnetwork', 'calm')
  expect(conditionOf(ready, 'Paused')).toBeUndefined()
  expect(effects(since)).toEqual([`renamed network ${idOf(ready)}`])
})

test('nothing is made for an object that is paused from the start', async () => {
  const since = lastCall(story)
  const text = JSON.parse(manifest('CloudNetwork', 'later', {})) as { metadata: object }
  const metadata = { ...text.metadata, annotations: { 'cloud-operator.dev/paused': 'true' } }
  await story.apply(JSON.stringify({ ...text, metadata }))
  const paused = await story.until(
    'cloudnetwork',
    'later',
    'paused',
    (each) => conditionOf(each, 'Paused') !== undefined,
  )
  expect(conditionOf(paused, 'Ready')?.status).toBe('False')
  expect(changes(story, since)).toEqual([])
  await annotate(story, 'cloudnetwork', 'later', 'paused')
  await story.ready('cloudnetwork', 'later')
})

test('a request to look is echoed, under both names, on settled and on stalled objects', async () => {
  await story.apply(
    manifest('CloudNetwork', 'asked', {}),
    manifest('CloudDisk', 'asked', { sizeGiB: 1, location: 'nowhere' }),
  )
  await story.ready('cloudnetwork', 'asked')
  await story.reason('clouddisk', 'asked', 'InvalidSpec')
  await lookedAt(story, 'cloudnetwork', 'asked')
  await lookedAt(story, 'clouddisk', 'asked')
  await lookedAt(story, 'cloudaccount', 'default')
  await story.run('annotate', 'cloudnetwork', 'asked', 'cloud-operator.dev/reconcile-requested-at-')
  await story.run('annotate', 'cloudnetwork', 'asked', 'reconcile.fluxcd.io/requestedAt=by-flux')
  await story.until('cloudnetwork', 'asked', 'looked at for Flux', (each) => {
    return each.status?.['lastHandledReconcileAt'] === 'by-flux'
  })
})

/** Waiting for a person's word: usable all the while, and no tool that waits for Ready hangs. */
async function approvalAsked(
  name: string,
  not?: string,
): Promise<{ object: AnyObject; plan: { id: string; steps: string[] } }> {
  const object = await story.until('cloudvm', name, 'asking for approval', (each) => {
    const asks = conditionOf(each, 'UpdatePending')?.reason === 'ApprovalRequired'
    const current = each.status?.observedGeneration === each.metadata.generation
    return asks && current && planOf(each)?.id !== not
  })
  expect(conditionOf(object, 'Ready')?.status).toBe('True')
  expect(conditionOf(object, 'Synced')).toMatchObject({ status: 'False', reason: 'ApprovalRequired' })
  expect(conditionOf(object, 'Reconciling')).toBeUndefined()
  const plan = planOf(object)
  expect(plan).toMatchObject({ disruptive: true })
  expect(conditionOf(object, 'UpdatePending')?.message).toContain(`cloud-operator.dev/approve=${plan?.id}`)
  return { object, plan: plan ?? { id: '', steps: [] } }
}

test('RequireApproval: a change that stops the machine waits with its plan and runs on its id alone', async () => {
  const spec = { ...SMALL_VM, lifecycle: { disruption: 'RequireApproval' } }
  await story.apply(manifest('CloudVM', 'careful', spec))
  const id = idOf(await story.ready('cloudvm', 'careful'))

  const since = lastCall(story)
  await story.edit('cloudvm', 'careful', { spec: { vcpus: 2 } })
  const first = await approvalAsked('careful')
  expect(first.plan.steps).toEqual([
    'shut the virtual machine down',
    'change the size to 2 CPUs and 1024 MiB',
    'start the virtual machine',
  ])
  await annotate(story, 'cloudvm', 'careful', 'approve', 'deadbeef')
  const still = await lookedAt(story, 'cloudvm', 'careful')
  expect(planOf(still)).toEqual(first.plan)
  expect(changes(story, since)).toEqual([])

  await annotate(story, 'cloudvm', 'careful', 'approve', first.plan.id)
  const ready = await story.ready('cloudvm', 'careful')
  expect(planOf(ready)).toBeUndefined()
  expect(ready.status?.['approvedPlan']).toBeUndefined()
  expect(effects(since)).toEqual([`stopped vm ${id}`, `changed vm ${id}`, `started vm ${id}`])
  expect(vmRow(id)).toMatchObject({ vcpu: 2, status: 'running' })

  // The old word, still on the object, approves nothing new.
  const later = lastCall(story)
  await story.edit('cloudvm', 'careful', { spec: { vcpus: 4 } })
  const second = await approvalAsked('careful')
  expect(second.plan.id).not.toBe(first.plan.id)
  await lookedAt(story, 'cloudvm', 'careful')
  expect(changes(story, later)).toEqual([])

  // Taken back: nothing waits any more.
  await story.edit('cloudvm', 'careful', { spec: { vcpus: 2 } })
  const back = await story.ready('cloudvm', 'careful')
  expect(planOf(back)).toBeUndefined()
  expect(conditionOf(back, 'UpdatePending')).toBeUndefined()
  expect(changes(story, later)).toEqual([])
})

test('what stops nothing needs no approval', async () => {
  const spec = { ...SMALL_VM, lifecycle: { disruption: 'RequireApproval' } }
  await story.apply(manifest('CloudVM', 'renaming', spec))
  const id = idOf(await story.ready('cloudvm', 'renaming'))
  await story.edit('cloudvm', 'renaming', { spec: { name: 'renamed', bootDisk: { sizeGiB: 25 } } })
  await story.ready('cloudvm', 'renaming')
  expect(vmRow(id)?.['name']).toBe('renamed')
})

test('a size changed in the console needs approval even where stops are allowed', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudVM', 'touched', SMALL_VM))
  const id = idOf(await story.ready('cloudvm', 'touched'))
  const since = lastCall(story)
  control.mutate({ do: 'setVm', uuid: id, set: { vcpu: 8 } })
  const { object, plan } = await approvalAsked('touched')
  expect(conditionOf(object, 'UpdatePending')?.message).toContain('the machine was changed outside')
  await lookedAt(story, 'cloudvm', 'touched')
  expect(changes(story, since)).toEqual([])
  expect(vmRow(id)).toMatchObject({ vcpu: 8, status: 'running' })

  await annotate(story, 'cloudvm', 'touched', 'approve', plan.id)
  await story.ready('cloudvm', 'touched')
  expect(vmRow(id)).toMatchObject({ vcpu: 1, status: 'running' })
  expect(effects(since)).toEqual([`stopped vm ${id}`, `changed vm ${id}`, `started vm ${id}`])
})

test('powerState: stopped and started on request; a stop from outside is undone', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudVM', 'switch', { ...SMALL_VM, powerState: 'Running' }))
  const id = idOf(await story.ready('cloudvm', 'switch'))
  await story.edit('cloudvm', 'switch', { spec: { powerState: 'Stopped' } })
  const stopped = await story.ready('cloudvm', 'switch')
  expect(conditionOf(stopped, 'Ready')).toMatchObject({ status: 'True', reason: 'Stopped' })
  expect(vmRow(id)?.['status']).toBe('stopped')
  await story.edit('cloudvm', 'switch', { spec: { powerState: 'Running' } })
  await story.ready('cloudvm', 'switch')
  expect(vmRow(id)?.['status']).toBe('running')
  control.mutate({ do: 'setVm', uuid: id, set: { status: 'stopped' } })
  await expect.poll(() => vmRow(id)?.['status'], { timeout: 30_000 }).toBe('running')
  await story.ready('cloudvm', 'switch')
})
