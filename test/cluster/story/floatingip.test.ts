/** Floating IPs: edited, assigned, moved, unassigned; never taken from a stranger, and never mistaken for another one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { cloudRow, edited, idOf, sent, toldUnsupported } from './calls.ts'
import { onProfile } from './differences.ts'
import { expectOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

const BILLING = [7001, 7002] as const

let story: Story
/** Identities of two machines and a load balancer. */
let a: string
let b: string
let entry: string
beforeAll(async () => {
  story = await startStory('floatingip', { billingAccounts: BILLING })
  await story.apply(
    manifest('CloudVM', 'a', SMALL_VM),
    manifest('CloudVM', 'b', SMALL_VM),
    manifest('CloudLoadBalancer', 'entry', { rules: [{ sourcePort: 80, targetPort: 8080 }] }),
  )
  a = idOf(await story.ready('cloudvm', 'a'))
  b = idOf(await story.ready('cloudvm', 'b'))
  entry = idOf(await story.ready('cloudloadbalancer', 'entry'))
})
afterAll(async () => {
  expectOrderly(story)
  await story.end()
})

interface Made {
  readonly id: string
  readonly address: string
  /** Path of its calls. */
  readonly path: string
}

async function made(name: string, spec: Readonly<Record<string, unknown>> = {}): Promise<Made> {
  await story.apply(manifest('CloudFloatingIP', name, spec))
  const object = await story.ready('cloudfloatingip', name)
  const address = String(object.status?.['address'])
  return { id: idOf(object), address, path: `/network/ip_addresses/${address}` }
}

const edit = (name: string, spec: unknown) => edited(story, 'cloudfloatingip', name, spec)
const assignedTo = (object: AnyObject) => object.status?.['assignedTo']
const message = (object: AnyObject) => conditionOf(object, 'Ready')?.message

/** Moves the address from machine b to the load balancer. */
async function toLoadBalancer(name: string, id: string, path: string): Promise<void> {
  const spec = { vmRef: null, loadBalancerRef: { name: 'entry' } }
  await onProfile(story, 'addresses for machines only', {
    extended: async () => {
      const moved = await edit(name, spec)
      expect(moved.map(([call]) => call)).toEqual([`POST ${path}/unassign`, `POST ${path}/assign`])
      expect(Object.values(moved[1]?.[1] ?? {})).toContain(entry)
      expect(assignedTo(await story.ready('cloudfloatingip', name))).toEqual({
        kind: 'CloudLoadBalancer',
        name: 'entry',
        id: entry,
      })
    },
    documented: async () => {
      const since = lastCall(story)
      await story.edit('cloudfloatingip', name, { spec })
      const told = await toldUnsupported(story, 'cloudfloatingip', name, since)
      expect(conditionOf(told, 'UpdatePending')?.message).toMatch(
        /^spec\.loadBalancerRef: .*assign it in the console, or refer to a CloudVM/,
      )
      expect(assignedTo(told)).toEqual({ kind: 'CloudVM', name: 'b', id: b })
      expect(cloudRow(story, 'floatingIps', id)).toMatchObject({ assignedTo: b })
    },
  })
}

test('named, charged, assigned, moved between machines and a load balancer, unassigned, deleted', async () => {
  const { control } = story.simulator
  const before = control.inventory()
  const { id, path } = await made('edited')
  const name = expect.stringMatching(/^Shop-[a-z2-7]{14}$/) as string
  expect(await edit('edited', { name: 'Shop' })).toEqual([[`PATCH ${path}`, { name }]])
  expect(await edit('edited', { billingAccount: BILLING[1] })).toEqual([
    [`PATCH ${path}`, { billing_account_id: BILLING[1] }],
  ])
  expect(cloudRow(story, 'floatingIps', id)).toMatchObject({ name, billingAccount: BILLING[1] })

  const toA = [`POST ${path}/assign`, { vm_uuid: a }]
  const off = [`POST ${path}/unassign`, {}]
  expect(await edit('edited', { vmRef: { name: 'a' } })).toEqual([toA])
  const onA = await story.ready('cloudfloatingip', 'edited')
  expect(assignedTo(onA)).toEqual({ kind: 'CloudVM', name: 'a', id: a })
  expect(onA.status?.['privateAddress']).toBe(cloudRow(story, 'vms', a)?.['privateIpv4'])
  expect(await edit('edited', { vmRef: { name: 'b' } })).toEqual([
    off,
    [`POST ${path}/assign`, { vm_uuid: b }],
  ])
  expect(cloudRow(story, 'floatingIps', id)).toMatchObject({ assignedTo: b })
  await toLoadBalancer('edited', id, path)
  expect(await edit('edited', { loadBalancerRef: null })).toEqual([off])
  const free = await story.ready('cloudfloatingip', 'edited')
  expect(free.status).not.toHaveProperty('assignedTo')
  expect(free.status).not.toHaveProperty('privateAddress')
  expect(cloudRow(story, 'floatingIps', id)).toMatchObject({ assignedTo: null })

  expect(await edit('edited', { vmRef: { name: 'a' } })).toEqual([toA])
  const since = lastCall(story)
  await story.run('delete', 'cloudfloatingip', 'edited', '--wait=false')
  await story.gone('cloudfloatingip', 'edited')
  expect(sent(story, since)).toEqual([off, [`DELETE ${path}`, {}]])
  expect(control.inventory()).toEqual(before)
}, 180_000)

test('assigned to a stranger behind our back: left there, told, and taken up again once free', async () => {
  const { control } = story.simulator
  const { id, address, path } = await made('shared')
  const [stranger = ''] = control.mutate({ do: 'create', kind: 'vm', apiKey: story.account.apiKey }).ids
  control.mutate({ do: 'assignIp', address, to: stranger })
  const since = lastCall(story)
  await story.edit('cloudfloatingip', 'shared', { spec: { vmRef: { name: 'a' } } })
  const conflict = await story.reason('cloudfloatingip', 'shared', 'AdoptionConflict')
  expect(message(conflict)).toContain(stranger)
  expect(message(conflict)).toContain('unassign it in the console')
  await lookedAt(story, 'cloudfloatingip', 'shared')
  await story.run('delete', 'cloudfloatingip', 'shared', '--wait=false')
  const held = await story.until(
    'cloudfloatingip',
    'shared',
    'held with the remedy',
    (each) => message(each)?.includes('onDelete: Retain') ?? false,
  )
  expect(conditionOf(held, 'Ready')?.reason).toBe('AdoptionConflict')
  expect(sent(story, since)).toEqual([])
  expect(cloudRow(story, 'floatingIps', id)).toMatchObject({ assignedTo: stranger })
  control.mutate({ do: 'unassignIp', address })
  await story.gone('cloudfloatingip', 'shared')
  expect(sent(story, since)).toEqual([[`DELETE ${path}`, {}]])
}, 120_000)

test('an address that was freed and handed out to another: its own object never touches it', async () => {
  const { control } = story.simulator
  const { apiKey } = story.account
  control.setRule('reuseAddresses', true)
  const { id, address } = await made('reused', { vmRef: { name: 'a' } })
  control.mutate({ do: 'delete', kind: 'floatingIp', id: address })
  const [again] = control.mutate({ do: 'create', kind: 'floatingIp', name: 'theirs', apiKey }).ids
  expect(again).toBe(address)
  control.setRule('reuseAddresses', false)
  const theirs = control.inventory(apiKey).floatingIps.find((each) => each['address'] === address)
  expect(String(theirs?.['id'])).not.toBe(id)

  const since = lastCall(story)
  const lost = await story.reason('cloudfloatingip', 'reused', 'ExternallyDeleted')
  expect(conditionOf(lost, 'Stalled')?.status).toBe('True')
  await story.edit('cloudfloatingip', 'reused', { spec: { name: 'other', vmRef: { name: 'b' } } })
  await story.reason('cloudfloatingip', 'reused', 'ExternallyDeleted')
  await story.run('delete', 'cloudfloatingip', 'reused', '--wait=false')
  await story.gone('cloudfloatingip', 'reused')
  expect(sent(story, since)).toEqual([])
  expect(cloudRow(story, 'floatingIps', theirs?.['id'])).toEqual(theirs)
}, 120_000)

test('the machine it refers to is deleted: unassigned and kept, assigned to the next one of that name', async () => {
  await story.apply(manifest('CloudVM', 'brief', SMALL_VM))
  await story.ready('cloudvm', 'brief')
  const { id } = await made('survivor', { vmRef: { name: 'brief' } })
  await story.run('delete', 'cloudvm', 'brief', '--wait=false')
  await story.gone('cloudvm', 'brief')
  await story.reason('cloudfloatingip', 'survivor', 'WaitingForDependency')
  expect(cloudRow(story, 'floatingIps', id)).toMatchObject({ assignedTo: null })
  await story.apply(manifest('CloudVM', 'brief', SMALL_VM))
  const second = idOf(await story.ready('cloudvm', 'brief'))
  await story.ready('cloudfloatingip', 'survivor')
  expect(cloudRow(story, 'floatingIps', id)).toMatchObject({ assignedTo: second })
}, 120_000)
