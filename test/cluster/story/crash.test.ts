/**
 * The operator is killed, or its answers are, at the worst moments of making and deleting each of the six kinds; or the
 * status is wiped. Afterwards there is exactly one of everything, or on a service without names an honest question.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Inventory } from '../../../src/simulator/inventory.ts'
import { manifest } from '../kubectl.ts'
import { conditionOf, startStory, type AnyObject, type Story } from '../story.ts'
import { cloudRow, idOf, sent } from './calls.ts'
import { onProfile } from './differences.ts'
import { expectOrderly, lastCall, lookedAt, madeSince, sixReady, SMALL_VM, theSix } from './six.ts'

interface Row {
  readonly resource: string
  readonly kind: string
  readonly family: keyof Inventory
  /** Method and path of its create call, and path of its deletion. */
  readonly create: readonly [method: string, path: string]
  readonly remove: string
  readonly spec: Readonly<Record<string, unknown>>
}

const ROWS: readonly Row[] = [
  {
    resource: 'cloudvm',
    kind: 'CloudVM',
    family: 'vms',
    create: ['POST', '/user-resource/vm'],
    remove: '/user-resource/vm',
    spec: SMALL_VM,
  },
  {
    resource: 'clouddisk',
    kind: 'CloudDisk',
    family: 'disks',
    create: ['POST', '/storage/disks'],
    remove: '/storage/disks/:uuid',
    spec: { sizeGiB: 7 },
  },
  {
    resource: 'cloudbucket',
    kind: 'CloudBucket',
    family: 'buckets',
    create: ['PUT', '/storage/bucket'],
    remove: '/storage/bucket',
    spec: {},
  },
  {
    resource: 'cloudnetwork',
    kind: 'CloudNetwork',
    family: 'networks',
    create: ['POST', '/network/network'],
    remove: '/network/network/:uuid',
    spec: {},
  },
  {
    resource: 'cloudfloatingip',
    kind: 'CloudFloatingIP',
    family: 'floatingIps',
    create: ['POST', '/network/ip_addresses'],
    remove: '/network/ip_addresses/:address',
    spec: {},
  },
  {
    resource: 'cloudloadbalancer',
    kind: 'CloudLoadBalancer',
    family: 'loadBalancers',
    create: ['POST', '/network/load_balancers'],
    remove: '/network/load_balancers/:uuid',
    spec: { rules: [{ sourcePort: 80, targetPort: 8080 }] },
  },
]

/** What one object of each kind is: a machine brings its boot disk. */
const ONE_OF_EACH = { network: 1, vm: 1, disk: 2, bucket: 1, 'floating ip': 1, 'load balancer': 1 }

describe.each(['extended', 'documented'] as const)('a service as %s', (profile) => {
  let story: Story
  beforeAll(async () => void (story = await startStory(`crash-${profile}`, { profile })))
  afterAll(async () => {
    expectOrderly(story)
    await story.end()
  })

  /** Kinds that this service shows no names of: what an unanswered create made cannot be told with certainty. */
  const unnamed = onProfile<readonly string[]>({ profile }, 'unnamed creates', {
    extended: () => [],
    documented: () => ['clouddisk', 'cloudloadbalancer'],
  })
  const nameless = (row: Row) => unnamed.includes(row.resource)
  /** Kinds that this service can delete. */
  const deletable = onProfile({ profile }, 'load balancers stay', {
    extended: () => ROWS,
    documented: () => ROWS.filter((row) => row.resource !== 'cloudloadbalancer'),
  })

  async function applyEach(name: string): Promise<void> {
    const bucketName = { bucketName: `${story.namespace}-${name}` }
    const specOf = ({ kind, spec }: Row) => (kind === 'CloudBucket' ? bucketName : spec)
    await story.apply(...ROWS.map((row) => manifest(row.kind, name, specOf(row))))
  }

  /** Holds the next call of each, and waits until all are there once `begin` is done; then kills and starts anew. */
  async function killedAt(
    point: 'before' | 'afterCommit',
    calls: readonly (readonly [method: string, path: string])[],
    begin: () => Promise<void>,
    meanwhile: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const { control } = story.simulator
    const holds = calls.map(([method, path]) => control.hold({ method, path, point }))
    await begin()
    for (const { id } of holds) await control.waitHeld(id, 60_000)
    await story.operator.stop('SIGKILL')
    for (const { id } of holds) control.release(id, 'reset')
    await meanwhile()
    story.operator = await story.start()
  }

  const creates = (row: Row, since: number) =>
    sent(story, since).filter(([call]) => call === row.create.join(' '))

  /** Waits until it is Ready, exists, and was asked for `times` times. */
  async function expectMade(row: Row, name: string, since: number, times: number): Promise<AnyObject> {
    const object = await story.ready(row.resource, name)
    expect(cloudRow(story, row.family, idOf(object)), row.kind).toBeDefined()
    expect(creates(row, since), row.kind).toHaveLength(times)
    expect(object.status).not.toHaveProperty('operation')
    return object
  }

  /** Named as the one that a create may have made; nothing is made beside it until a person has decided. */
  async function expectAsked(row: Row, name: string, since: number): Promise<void> {
    const { control } = story.simulator
    const asked = await story.until(row.resource, name, 'asked', (each) => {
      return conditionOf(each, 'Stalled')?.reason === 'CreateOutcomeUnknown'
    })
    const operation = asked.status?.['operation'] as { candidates?: string[] }
    const [candidate = '', ...others] = operation.candidates ?? []
    expect(others).toEqual([])
    expect(conditionOf(asked, 'Ready')?.message).toContain(candidate)
    expect(cloudRow(story, row.family, candidate), row.kind).toBeDefined()
    await lookedAt(story, row.resource, name)
    expect(creates(row, since), row.kind).toHaveLength(1)
    control.mutate({
      do: 'delete',
      kind: row.resource === 'clouddisk' ? 'disk' : 'loadBalancer',
      id: candidate,
    })
    expect(idOf(await expectMade(row, name, since, 2))).not.toBe(candidate)
  }

  const CREATES = ROWS.map((row) => row.create)

  test('killed after every create was committed and before its answer', async () => {
    const since = lastCall(story)
    await killedAt('afterCommit', CREATES, () => applyEach('committed'))
    for (const row of ROWS.filter((each) => !nameless(each))) await expectMade(row, 'committed', since, 1)
    expect(madeSince(story, since)).toEqual(ONE_OF_EACH)
    for (const row of ROWS.filter(nameless)) await expectAsked(row, 'committed', since)
  }, 240_000)

  test('every answer to a create is lost', async () => {
    const since = lastCall(story)
    for (const [method, path] of CREATES) {
      story.simulator.control.addFault({ method, path, point: 'afterCommit', action: { reset: true } })
    }
    await applyEach('unanswered')
    for (const row of ROWS.filter((each) => !nameless(each))) await expectMade(row, 'unanswered', since, 1)
    expect(madeSince(story, since)).toEqual(ONE_OF_EACH)
    for (const row of ROWS.filter(nameless)) await expectAsked(row, 'unanswered', since)
  }, 240_000)

  test('killed before any create was committed: made by the second call', async () => {
    const since = lastCall(story)
    await killedAt('before', CREATES, () => applyEach('never'))
    for (const row of ROWS) await expectMade(row, 'never', since, 2)
    expect(madeSince(story, since)).toEqual(ONE_OF_EACH)
  }, 240_000)

  test('killed after every deletion was committed, and before any: gone, and nothing else', async () => {
    const ids = new Map<Row, string>()
    const bystanders = await Promise.all(
      deletable.map(async (row) => {
        ids.set(row, idOf(await story.ready(row.resource, 'never')))
        return cloudRow(story, row.family, idOf(await story.ready(row.resource, 'committed')))
      }),
    )
    const deletions = deletable.map((row) => ['DELETE', row.remove] as const)
    const resources = deletable.map((row) => row.resource)
    for (const [point, name, times] of [
      ['afterCommit', 'never', 1],
      ['before', 'unanswered', 2],
    ] as const) {
      const since = lastCall(story)
      await killedAt(point, deletions, async () => {
        for (const each of resources) await story.run('delete', each, name, '--wait=false')
      })
      for (const row of deletable) await story.gone(row.resource, name)
      const calls = sent(story, since).filter(([call]) => call.startsWith('DELETE'))
      expect(calls).toHaveLength(deletable.length * times)
    }
    for (const [row, id] of ids) expect(cloudRow(story, row.family, id), row.kind).toBeUndefined()
    for (const [index, row] of deletable.entries()) {
      const id = idOf(await story.ready(row.resource, 'committed'))
      expect(cloudRow(story, row.family, id), row.kind).toEqual(bystanders[index])
    }
  }, 240_000)

  test('killed after every create was committed, and deleted before its restart: nothing is left', async () => {
    const { control } = story.simulator
    const before = control.inventory()
    const since = lastCall(story)
    const deleteEach = async () => {
      for (const { resource } of ROWS) await story.run('delete', resource, 'brief', '--wait=false')
    }
    await killedAt('afterCommit', CREATES, () => applyEach('brief'), deleteEach)
    for (const row of ROWS.filter(nameless)) {
      const asked = await story.until(row.resource, 'brief', 'asked', (each) => {
        return conditionOf(each, 'Stalled')?.reason === 'CreateOutcomeUnknown'
      })
      const operation = asked.status?.['operation'] as { candidates?: string[] }
      const [candidate = ''] = operation.candidates ?? []
      const kind = row.resource === 'clouddisk' ? 'disk' : 'loadBalancer'
      control.mutate({ do: 'delete', kind, id: candidate })
    }
    for (const { resource } of ROWS) await story.gone(resource, 'brief')
    expect(madeSince(story, since)).toEqual(ONE_OF_EACH)
    expect(control.inventory()).toEqual(before)
  }, 240_000)

  test('the status of a network is wiped while the list leaves it out: nothing is made twice', async () => {
    const { control } = story.simulator
    await story.apply(manifest('CloudNetwork', 'lagging', {}))
    const network = await story.ready('cloudnetwork', 'lagging')
    const since = lastCall(story)
    const listOmit = { forCalls: 3 }
    control.addFault({ method: 'GET', path: '/network/networks', point: 'before', action: { listOmit } })
    await wipe(network)
    const again = await story.until(
      'cloudnetwork',
      'lagging',
      'found',
      (each) => each.status?.['id'] !== undefined,
    )
    expect(idOf(again)).toBe(idOf(network))
    expect(sent(story, since)).toEqual([])
    control.clearFaults()
  }, 120_000)

  async function wipe({ kind, metadata: { name } }: AnyObject): Promise<void> {
    const patch = JSON.stringify([{ op: 'replace', path: '/status', value: {} }])
    await story.run('patch', kind, name, '--subresource=status', '--type=json', `--patch=${patch}`)
  }

  test('the status of all six is wiped: each is found again by its marker, and nothing is made twice', async () => {
    await story.apply(...theSix(story))
    const six = await sixReady(story)
    const before = story.simulator.control.inventory()
    const since = lastCall(story)
    if (unnamed.length > 0) await story.operator.stop('SIGKILL')
    for (const object of Object.values(six)) await wipe(object)
    if (unnamed.length > 0) story.operator = await story.start()

    const bucket = six.cloudbucket
    const taken = await story.reason('cloudbucket', bucket.metadata.name, 'AdoptionConflict')
    expect(conditionOf(taken, 'Ready')?.message).toContain(
      `to take it over set spec.adopt.id: ${idOf(bucket)}`,
    )
    await story.edit('cloudbucket', bucket.metadata.name, { spec: { adopt: { id: idOf(bucket) } } })
    for (const row of ROWS) {
      const object = six[row.resource as keyof typeof six]
      const { name } = object.metadata
      if (!nameless(row)) {
        expect(idOf(await story.ready(row.resource, name)), row.kind).toBe(idOf(object))
        continue
      }
      const asked = await story.until(row.resource, name, 'asked', (each) => {
        return conditionOf(each, 'Stalled')?.reason === 'CreateOutcomeUnknown'
      })
      expect(conditionOf(asked, 'Ready')?.message).toContain(idOf(object))
    }
    expect(sent(story, since)).toEqual([])
    expect(story.simulator.control.inventory()).toEqual(before)
  }, 240_000)

  if (unnamed.length === 0) return
  test('what a lost status left in question is kept: let go with Retain, adopted anew', async () => {
    const asked = await story.get('clouddisk', 'data')
    const operation = asked?.status?.['operation'] as { id: string; candidates?: string[] }
    const [id = ''] = operation.candidates ?? []
    const before = cloudRow(story, 'disks', id)
    expect(conditionOf(asked as AnyObject, 'Ready')?.message).toContain(
      `cloud-operator.dev/resolve=${operation.id}=${id}`,
    )
    const since = lastCall(story)
    await story.edit('clouddisk', 'data', { spec: { lifecycle: { onDelete: 'Retain' } } })
    await story.run('delete', 'clouddisk', 'data', '--wait=false')
    await story.gone('clouddisk', 'data')
    await story.apply(manifest('CloudDisk', 'data', { adopt: { id }, sizeGiB: 30, vmRef: { name: 'web' } }))
    expect(idOf(await story.ready('clouddisk', 'data'))).toBe(id)
    expect(sent(story, since)).toEqual([])
    expect(cloudRow(story, 'disks', id)).toEqual(before)
  }, 120_000)
})
