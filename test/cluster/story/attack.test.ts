/** Stories that were told because something went wrong in them once: loops, wrong places, and what is somebody else's. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type Story } from '../story.ts'
import { idOf, toldUnsupported } from './calls.ts'
import { onProfile } from './differences.ts'
import { changes, endOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

let story: Story
beforeAll(async () => void (story = await startStory('attack')))
afterAll(() => endOrderly(story))

/** Long enough for a loop to show: nothing else tells that something does not happen. */
const meanwhile = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('what was never made can move to another account after a refusal', async () => {
  const { control } = story.simulator
  const other = control.createAccount()
  const secret = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'other-token' },
    stringData: { apikey: other.apiKey },
  })
  await story.apply(
    secret,
    manifest('CloudAccount', 'other', {
      tokenSecretRef: { name: 'other-token', key: 'apikey' },
      endpoint: story.simulator.url,
      billingAccount: other.billingAccount,
      syncIntervalSeconds: 20,
      settleSeconds: 30,
    }),
  )
  await story.until('cloudaccount', 'other', 'ready', (each) => conditionOf(each, 'Ready')?.status === 'True')
  control.addFault({
    method: 'POST',
    path: '/network/ip_addresses',
    point: 'before',
    action: { answer: { status: 400, body: { errors: { name: ['no'] } } } },
  })
  await story.apply(manifest('CloudFloatingIP', 'moved', {}))
  await story.until(
    'cloudfloatingip',
    'moved',
    'refused',
    (each) => conditionOf(each, 'Stalled') !== undefined,
  )
  await story.edit('cloudfloatingip', 'moved', { spec: { accountRef: { name: 'other' } } })
  await story.ready('cloudfloatingip', 'moved')
  expect(control.inventory(other.apiKey).floatingIps).toHaveLength(1)
})

test('a refused release of what a machine left behind is no loop', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudVM', 'leaver', { ...SMALL_VM, publicIP: 'Reserve' }))
  await story.ready('cloudvm', 'leaver')
  control.addFault({
    method: 'DELETE',
    path: '/network/ip_addresses/:x',
    point: 'before',
    times: 100000,
    action: { answer: { status: 400, body: { errors: { Error: ['The address is locked.'] } } } },
  })
  const since = lastCall(story)
  await story.run('delete', 'cloudvm', 'leaver', '--wait=false')
  await expect
    .poll(() => changes(story, since).filter((each) => each.startsWith('DELETE /network')).length, {
      timeout: 30000,
    })
    .toBeGreaterThan(0)
  await meanwhile(5000)
  const sent = changes(story, since).filter((each) => each.startsWith('DELETE /network'))
  control.clearFaults()
  expect(sent.length).toBeLessThan(5)
})

test('an address that came with a machine and was adopted stays', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudVM', 'giver', { ...SMALL_VM, publicIP: 'Reserve' }))
  const vm = await story.ready('cloudvm', 'giver')
  const { address } = vm.status?.['reservedIP'] as { address: string }
  await story.apply(manifest('CloudFloatingIP', 'kept', { adopt: { id: address }, vmRef: { name: 'giver' } }))
  await story.ready('cloudfloatingip', 'kept')
  await story.run('delete', 'cloudvm', 'giver', '--wait=false')
  await story.gone('cloudvm', 'giver')
  expect(control.inventory(story.account.apiKey).floatingIps.map((each) => each['address'])).toContain(
    address,
  )
})

test('references to a machine that vanished are no loop', async () => {
  const { control } = story.simulator
  await story.apply(
    manifest('CloudVM', 'ghost', SMALL_VM),
    manifest('CloudDisk', 'ghostly', { sizeGiB: 10, vmRef: { name: 'ghost' } }),
    manifest('CloudFloatingIP', 'ghostly', { vmRef: { name: 'ghost' } }),
  )
  await story.ready('clouddisk', 'ghostly')
  await story.ready('cloudfloatingip', 'ghostly')
  const id = idOf(await story.ready('cloudvm', 'ghost'))
  const diskID = idOf(await story.ready('clouddisk', 'ghostly'))
  control.mutate({ do: 'detachDisk', disk: diskID })
  control.mutate({ do: 'delete', kind: 'vm', id })
  await story.reason('cloudvm', 'ghost', 'ExternallyDeleted')
  const since = lastCall(story)
  await meanwhile(6000)
  expect(changes(story, since).length).toBeLessThan(4)
})

test('an object busy for good is asked less and less', async () => {
  const { control } = story.simulator
  await story.apply(manifest('CloudNetwork', 'busy', {}))
  await story.ready('cloudnetwork', 'busy')
  control.addFault({
    method: 'PATCH',
    path: '/network/network/:x',
    point: 'before',
    times: 100000,
    action: { answer: { status: 409, body: { errors: { Error: ['busy'] } } } },
  })
  const since = lastCall(story)
  await story.edit('cloudnetwork', 'busy', { spec: { name: 'other' } })
  await meanwhile(8000)
  control.clearFaults()
  expect(changes(story, since).length).toBeLessThan(12)
  await story.ready('cloudnetwork', 'busy')
})

test('two objects that adopt the same at once: one has it', async () => {
  const { control } = story.simulator
  const { apiKey } = story.account
  const [id = ''] = control.mutate({ do: 'create', kind: 'network', name: 'shared', apiKey }).ids
  const names = ['one', 'two', 'three', 'four']
  await story.apply(...names.map((name) => manifest('CloudNetwork', name, { adopt: { id } })))
  await story.until('cloudnetwork', 'four', 'looked at', (each) => each.status?.conditions !== undefined)
  await meanwhile(3000)
  const owners = await Promise.all(
    names.map(async (name) => (await story.get('cloudnetwork', name))?.status?.['id']),
  )
  expect(owners.filter((each) => each === id)).toHaveLength(1)
})

test('a finalizer that was taken away is put back', async () => {
  await story.apply(manifest('CloudNetwork', 'stripped', {}))
  await story.ready('cloudnetwork', 'stripped')
  await story.edit('cloudnetwork', 'stripped', { metadata: { finalizers: null } })
  await story.until(
    'cloudnetwork',
    'stripped',
    'held again',
    (each) => (each.metadata.finalizers?.length ?? 0) > 0,
    15000,
  )
})

test('a bucket made by a create that was answered 400 is taken', async () => {
  const { control } = story.simulator
  control.addFault({
    method: 'PUT',
    path: '/storage/bucket',
    point: 'afterCommit',
    action: { answer: { status: 400, body: { errors: { Error: ['something'] } } } },
  })
  const bucketName = `${story.namespace}-committed`
  await story.apply(manifest('CloudBucket', 'committed', { bucketName }))
  await story.ready('cloudbucket', 'committed')
})

test('an account follows an edit of what may be tried, and new pools', async () => {
  await story.apply(manifest('CloudLoadBalancer', 'lb', { rules: [{ sourcePort: 80, targetPort: 8080 }] }))
  await story.ready('cloudloadbalancer', 'lb')
  await story.edit('cloudaccount', 'default', { spec: { loadBalancerOperations: 'DocumentedOnly' } })
  await story.edit('cloudloadbalancer', 'lb', { spec: { rules: [{ sourcePort: 81, targetPort: 8080 }] } })
  await story.until(
    'cloudloadbalancer',
    'lb',
    'unsupported',
    (each) => conditionOf(each, 'UpdatePending')?.reason === 'Unsupported',
    15000,
  )
  const since = lastCall(story)
  await story.edit('cloudaccount', 'default', { spec: { loadBalancerOperations: 'Auto' } })
  await onProfile(story, 'load balancers as made', {
    extended: async () => {},
    documented: async () => {
      // It may be tried again, and still there is no way.
      await lookedAt(story, 'cloudloadbalancer', 'lb')
      await toldUnsupported(story, 'cloudloadbalancer', 'lb', since)
      await story.edit('cloudloadbalancer', 'lb', { spec: { rules: [{ sourcePort: 80, targetPort: 8080 }] } })
    },
  })
  await story.ready('cloudloadbalancer', 'lb')
})
