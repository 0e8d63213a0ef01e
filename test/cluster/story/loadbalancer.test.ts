/** Load balancers: every edit on a service that has the operations, and honest words on one that has not. */
import { afterEach, expect, test } from 'vitest'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { cloudRow, edited, idOf, sent, toldUnsupported } from './calls.ts'
import { onProfile } from './differences.ts'
import { expectOrderly, lastCall, lookedAt, SMALL_VM } from './six.ts'

const BILLING = [7001, 7002] as const

let story: Story
afterEach(async () => {
  expectOrderly(story)
  await story.end()
})

/** Two machines, a and b; their identities. */
async function stage(purpose: string) {
  story = await startStory(purpose, { billingAccounts: BILLING })
  await story.apply(manifest('CloudVM', 'a', SMALL_VM), manifest('CloudVM', 'b', SMALL_VM))
  return [idOf(await story.ready('cloudvm', 'a')), idOf(await story.ready('cloudvm', 'b'))] as const
}

async function made(name: string, spec: Readonly<Record<string, unknown>>): Promise<string> {
  await story.apply(manifest('CloudLoadBalancer', name, { rules: [HTTP], ...spec }))
  return idOf(await story.ready('cloudloadbalancer', name))
}

const HTTP = { sourcePort: 80, targetPort: 8080 }
const HTTPS = { sourcePort: 443, targetPort: 8443 }
const edit = (name: string, spec: unknown) => edited(story, 'cloudloadbalancer', name, spec)
const row = (id: string) => cloudRow(story, 'loadBalancers', id)
const message = (object: AnyObject, type = 'Ready') => conditionOf(object, type)?.message

interface Rule {
  readonly uuid: string
  readonly sourcePort: number
  readonly targetPort: number
}
const rulesOf = (id: string) => row(id)?.['rules'] as Rule[]
const ruleID = (id: string, port: number) => rulesOf(id).find(({ sourcePort }) => sourcePort === port)?.uuid
const portsOf = (id: string) => rulesOf(id).map(({ sourcePort, targetPort }) => `${sourcePort}:${targetPort}`)
const targetsOf = (id: string) => (row(id)?.['targets'] as { vm: string }[]).map(({ vm }) => vm)

test('rules, targets, name and billing account, and its deletion', async () => {
  const [a, b] = await stage('loadbalancer')
  await onProfile(story, 'load balancers as made', {
    extended: () => changedAndDeleted(a, b),
    documented: () => toldAndHeld(a),
  })
}, 240_000)

/** Every edit by the calls it takes, and a deletion by one. */
async function changedAndDeleted(a: string, b: string): Promise<void> {
  const before = story.simulator.control.inventory()
  const id = await made('entry', { targets: [{ name: 'a' }] })
  const path = `/network/load_balancers/${id}`
  const rules = `${path}/forwarding_rules`
  const targets = `${path}/targets`

  const added = await edit('entry', { rules: [HTTP, HTTPS] })
  expect(added).toEqual([[`POST ${rules}`, { source_port: 443, target_port: 8443 }]])
  const old = ruleID(id, 80)
  const changed = await edit('entry', { rules: [{ sourcePort: 80, targetPort: 9090 }, HTTPS] })
  expect(changed).toEqual([
    [`DELETE ${rules}/${old}`, {}],
    [`POST ${rules}`, { source_port: 80, target_port: 9090 }],
  ])
  expect(portsOf(id).sort()).toEqual(['443:8443', '80:9090'])
  const last = ruleID(id, 80)
  expect(await edit('entry', { rules: [HTTPS] })).toEqual([[`DELETE ${rules}/${last}`, {}]])
  expect(portsOf(id)).toEqual(['443:8443'])
  expect((await story.ready('cloudloadbalancer', 'entry')).status?.['rules']).toMatchObject([HTTPS])

  const both = await edit('entry', { targets: [{ name: 'a' }, { name: 'b' }] })
  expect(both.map(([call]) => call)).toEqual([`POST ${targets}`])
  expect(Object.values(both[0]?.[1] ?? {})).toContain(b)
  expect(targetsOf(id)).toEqual([a, b])
  expect(await edit('entry', { targets: [{ name: 'b' }] })).toEqual([[`DELETE ${targets}/${a}`, {}]])
  // The new one serves before the old one goes.
  const swapped = await edit('entry', { targets: [{ name: 'a' }] })
  expect(swapped.map(([call]) => call)).toEqual([`POST ${targets}`, `DELETE ${targets}/${b}`])
  expect(targetsOf(id)).toEqual([a])
  const now = await story.ready('cloudloadbalancer', 'entry')
  expect(now.status?.['targets']).toMatchObject([{ id: a, name: 'a' }])

  const name = expect.stringMatching(/^Shop-[a-z2-7]{14}$/) as string
  expect(await edit('entry', { name: 'Shop' })).toEqual([[`PATCH ${path}`, { display_name: name }]])
  expect(await edit('entry', { billingAccount: BILLING[1] })).toEqual([
    [`PUT ${path}/billing_account`, { set_id: BILLING[1] }],
  ])
  expect(row(id)).toMatchObject({ displayName: name, billingAccount: BILLING[1] })

  const since = lastCall(story)
  await story.run('delete', 'cloudloadbalancer', 'entry', '--wait=false')
  await story.gone('cloudloadbalancer', 'entry')
  expect(sent(story, since)).toEqual([[`DELETE ${path}`, {}]])
  expect(story.simulator.control.inventory()).toEqual(before)
}

/** Edits are told, a deletion is held with the remedy, and Retain releases; nothing is sent. */
async function toldAndHeld(a: string): Promise<void> {
  const { control } = story.simulator
  const id = await made('fixed', { targets: [{ name: 'a' }] })
  expect(targetsOf(id)).toEqual([a])
  const before = row(id)
  const since = lastCall(story)
  await story.edit('cloudloadbalancer', 'fixed', {
    spec: { rules: [HTTP, HTTPS], targets: [{ name: 'a' }, { name: 'b' }] },
  })
  const told = await toldUnsupported(story, 'cloudloadbalancer', 'fixed', since)
  expect(message(told, 'Synced')).toMatch(
    /add CloudVM b as a target.*forward port 443 to port 8443.*do it in the console/,
  )
  // Taken back, it is as it was.
  await edit('fixed', { rules: [HTTP], targets: [{ name: 'a' }] })
  await story.run('delete', 'cloudloadbalancer', 'fixed', '--wait=false')
  const stuck = await story.reason('cloudloadbalancer', 'fixed', 'Unsupported')
  expect(conditionOf(stuck, 'Stalled')?.status).toBe('True')
  expect(message(stuck)).toMatch(/delete it in the console, or set spec.lifecycle.onDelete: Retain/)
  await lookedAt(story, 'cloudloadbalancer', 'fixed')
  await story.edit('cloudloadbalancer', 'fixed', { spec: { lifecycle: { onDelete: 'Retain' } } })
  await story.gone('cloudloadbalancer', 'fixed')
  expect(sent(story, since)).toEqual([])
  expect(row(id)).toEqual(before)

  // Deleted in the console instead: found to be gone, and let go.
  const second = await made('fixed', { targets: [{ name: 'b' }] })
  await story.run('delete', 'cloudloadbalancer', 'fixed', '--wait=false')
  await story.reason('cloudloadbalancer', 'fixed', 'Unsupported')
  control.mutate({ do: 'delete', kind: 'loadBalancer', id: second })
  await story.gone('cloudloadbalancer', 'fixed')
}

test('a target that is deleted leaves it and comes back by name; a reserved address is recorded and goes along', async () => {
  const [a, b] = await stage('loadbalancer-more')
  const { control } = story.simulator
  const before = control.inventory()
  const id = await made('public', { targets: [{ name: 'a' }, { name: 'b' }], publicIP: 'Reserve' })
  const own = control.inventory(story.account.apiKey).floatingIps.find((each) => each['assignedTo'] === id)
  const made1 = await story.ready('cloudloadbalancer', 'public')
  expect(made1.status?.['reservedIP']).toEqual({ id: String(own?.['id']), address: own?.['address'] })

  await story.run('delete', 'cloudvm', 'b', '--wait=false')
  await story.gone('cloudvm', 'b')
  const waits = await story.reason('cloudloadbalancer', 'public', 'WaitingForDependency')
  expect(message(waits)).toContain('CloudVM b does not exist yet')
  expect(targetsOf(id)).toEqual([a])
  await story.apply(manifest('CloudVM', 'b', SMALL_VM))
  const again = idOf(await story.ready('cloudvm', 'b'))
  expect(again).not.toBe(b)
  await onProfile(story, 'load balancers as made', {
    extended: async () => {
      await story.ready('cloudloadbalancer', 'public')
      expect(targetsOf(id)).toEqual([a, again])
    },
    documented: async () => {
      const told = await toldUnsupported(story, 'cloudloadbalancer', 'public', lastCall(story))
      expect(message(told, 'UpdatePending')).toContain('add CloudVM b as a target')
      expect(targetsOf(id)).toEqual([a])
    },
  })

  const since = lastCall(story)
  await story.run('delete', 'cloudloadbalancer', 'public', '--wait=false')
  const deletion = await onProfile(story, 'load balancers stay', {
    extended: () => Promise.resolve([`DELETE /network/load_balancers/${id}`]),
    documented: async () => {
      await story.reason('cloudloadbalancer', 'public', 'Unsupported')
      control.mutate({ do: 'delete', kind: 'loadBalancer', id })
      return []
    },
  })
  await story.gone('cloudloadbalancer', 'public')
  expect(sent(story, since).map(([call]) => call)).toEqual([
    ...deletion,
    `DELETE /network/ip_addresses/${String(own?.['address'])}`,
  ])
  const after = control.inventory()
  expect(after.floatingIps).toEqual(before.floatingIps)
  expect(after.loadBalancers).toEqual([])
}, 240_000)
