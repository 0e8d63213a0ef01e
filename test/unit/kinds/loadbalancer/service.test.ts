import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CloudLoadBalancer, LoadBalancerStatus } from '../../../../src/api/loadbalancer.ts'
import { loadBalancerKind } from '../../../../src/kinds/loadbalancer/kind.ts'
import type { WantedLoadBalancer, WantedTargets } from '../../../../src/kinds/loadbalancer/plan.ts'
import { markedName } from '../../../../src/reconcile/marker.ts'
import { needed } from '../../../../src/reconcile/needed.ts'
import { marker, reading, startService, walk, type Service } from '../service.ts'

const http = { sourcePort: 80, targetPort: 8080 }
const https = { sourcePort: 443, targetPort: 8443 }

function wanted(service: Service, more: Partial<WantedLoadBalancer> = {}): WantedLoadBalancer {
  return {
    name: markedName('web', marker),
    chargedTo: service.session.billingAccount,
    billingAccount: undefined,
    network: { is: 'default' },
    reserveAddress: false,
    rules: [http],
    targets: undefined,
    growsLater: false,
    ...more,
  }
}

function machines(service: Service, ...names: readonly string[]): WantedTargets {
  const { apiKey, simulator } = service
  const make = (name: string) =>
    needed(simulator.control.mutate({ do: 'create', kind: 'vm', name, apiKey }).ids[0])
  return { ready: names.map((name) => ({ name, id: make(name) })), waiting: [] }
}

function objectOf(status: LoadBalancerStatus, publicIP: 'None' | 'Reserve' = 'None'): CloudLoadBalancer {
  return {
    apiVersion: 'cloud-operator.dev/v1alpha1',
    kind: 'CloudLoadBalancer',
    metadata: {
      name: 'web',
      namespace: 'shop',
      uid: 'u',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { rules: [http], publicIP },
    status,
  }
}

function addressesOf({ simulator, apiKey }: Service): readonly unknown[] {
  return simulator.control.inventory(apiKey).floatingIps
}

describe('a service with the operations past list and create', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService('extended')
  })
  afterAll(() => service.stop())

  test('it is made, learned from, changed and deleted', async () => {
    const { capabilities } = service.session
    expect(loadBalancerKind.creation.identity(service.session)).toBe('baseline')
    const made = await walk(service, loadBalancerKind, { want: wanted(service) })
    expect(made.did).toEqual(['create'])
    expect(made.status).toMatchObject({ rules: [http], targets: [], targetCount: 0 })
    expect(capabilities).toMatchObject({ loadBalancerOperations: true, loadBalancerNames: true })
    expect(loadBalancerKind.creation.identity(service.session)).toBe('marker')
    expect(await loadBalancerKind.reads.row(reading(service), needed(made.status.id))).toEqual(made.seen)

    const targets = machines(service, 'a', 'b')
    const change = { rules: [{ sourcePort: 80, targetPort: 9090 }, https], targets }
    const grown = await walk(service, loadBalancerKind, { ...made, want: wanted(service, change) })
    expect(grown.did).toEqual(['addTarget', 'addTarget', 'removeRule', 'addRule', 'addRule'])
    expect(grown.status.rules).toMatchObject([{ targetPort: 9090 }, https])
    expect(grown.status.targets?.map(({ name }) => name).sort()).toEqual(['a', 'b'])
    expect(grown.status.targetCount).toBe(2)

    const fewer = { name: markedName('front', marker), rules: [https], targets: { ...targets, ready: [] } }
    const shrunk = await walk(service, loadBalancerKind, { ...grown, want: wanted(service, fewer) })
    expect([...shrunk.did].sort()).toEqual(['removeRule', 'removeTarget', 'removeTarget', 'rename'])
    expect(shrunk.seen?.label).toBe(markedName('front', marker))

    const { seen, status } = shrunk
    const gone = await walk(service, loadBalancerKind, { seen, status, object: objectOf(status) })
    expect(gone).toMatchObject({ did: ['delete'], seen: undefined })
  })

  test('the address that comes with it is told from others, recorded, and deleted after it', async () => {
    const { simulator, apiKey } = service
    const before = addressesOf(service)
    simulator.control.mutate({ do: 'create', kind: 'floatingIp', name: '', apiKey })
    const want = wanted(service, { reserveAddress: true })
    const companions = await loadBalancerKind.creation.companionsBefore?.(reading(service), want)
    expect(companions).toHaveLength(1)
    const made = await walk(service, loadBalancerKind, { want })
    const operation = { id: 'op', verb: 'create', issuedAt: '', companions: [...(companions ?? [])] }
    const context = () => reading<LoadBalancerStatus>(service, made.status)
    const object = objectOf(made.status, 'Reserve')
    const found = await loadBalancerKind.confirm?.(context(), operation, needed(made.seen), object)
    expect(found?.wait).toBeUndefined()
    const reservedIP = needed(found?.patch.reservedIP)

    const status = { ...made.status, reservedIP }
    await walk(service, loadBalancerKind, { seen: made.seen, status, object })
    const steps = await loadBalancerKind.leftovers?.(context(), objectOf(status, 'Reserve'))
    expect(steps).toEqual([{ do: 'deleteAddress', ...reservedIP }])
    const [step] = needed(steps)
    const send = { operationID: 'op', beforeDispatch: () => undefined }
    const calling = { ...context(), marker, send, secretValue: () => undefined, isOwned: () => false }
    await loadBalancerKind.act(calling, needed(step), undefined, needed(made.seen))
    expect(addressesOf(service)).toHaveLength(before.length + 1)
    expect(await loadBalancerKind.leftovers?.(context(), objectOf(status, 'Reserve'))).toEqual([])
  })

  test('an address that got a name, or another number, belongs to somebody else by now', async () => {
    const { simulator, apiKey, session } = service
    const { ids } = simulator.control.mutate({ do: 'create', kind: 'floatingIp', name: 'theirs', apiKey })
    const address = needed(ids[0])
    const rows = (await session.inventory.list('floatingIP', service.location, { maxAgeMs: 0 })).rows
    const id = String(needed(rows.find((row) => row.address === address)).id)
    const leftOf = (reservedIP: { id: string; address: string }) =>
      loadBalancerKind.leftovers?.(reading(service), objectOf({ id: 'lb', reservedIP }, 'Reserve'))
    expect(await leftOf({ id, address })).toEqual([])
    simulator.control.mutate({ do: 'rename', kind: 'floatingIp', id: address, name: '' })
    expect(await leftOf({ id: '1', address })).toEqual([])
    expect(await leftOf({ id, address })).toEqual([{ do: 'deleteAddress', id, address }])
  })
})

describe('a service as documented', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService('documented')
  })
  afterAll(() => service.stop())

  test('lists stand for exact reads; changing and deleting wait for a person', async () => {
    const { capabilities } = service.session
    expect(loadBalancerKind.reads.hasExact(service.session)).toBe(true)
    const targets = machines(service, 'a')
    const made = await walk(service, loadBalancerKind, { want: wanted(service, { targets }) })
    expect(made.did).toEqual(['create'])
    expect(capabilities.loadBalancerOperations).toBe(false)
    expect(loadBalancerKind.reads.hasExact(service.session)).toBe(false)
    expect(loadBalancerKind.creation.identity(service.session)).toBe('baseline')
    expect(made.seen).toMatchObject({ changeable: false, showsLabel: false })
    expect(made.status).toMatchObject({ targetCount: 1, targets: [{ name: 'a' }] })

    const memory = { status: made.status, appliedBefore: true }
    const plan = loadBalancerKind.plan(wanted(service, { targets, rules: [https] }), made.seen, memory)
    expect(plan).toMatchObject({ steps: [], pending: { reason: 'Unsupported' } })
    const gone = loadBalancerKind.planGone(needed(made.seen), memory, objectOf(made.status))
    expect(gone).toMatchObject({ steps: [], pending: { reason: 'Unsupported' } })

    service.simulator.control.mutate({ do: 'delete', kind: 'loadBalancer', id: needed(made.status.id) })
    expect(await loadBalancerKind.reads.exact(reading(service), needed(made.status.id))).toBeUndefined()
  })

  test('an answer that names nothing is an accepted create without a result', async () => {
    service.simulator.control.setRule('loadBalancerCreateAnswer', 'empty')
    const step = needed(
      loadBalancerKind.plan(wanted(service), undefined, { status: undefined, appliedBefore: false }).steps[0],
    )
    const send = { operationID: 'op', beforeDispatch: () => undefined }
    const calling = {
      ...reading<LoadBalancerStatus>(service),
      marker,
      send,
      secretValue: () => undefined,
      isOwned: () => false,
    }
    expect(await loadBalancerKind.act(calling, step, undefined, undefined)).toBeUndefined()
    const rows = await loadBalancerKind.reads.rows(reading(service))
    const details = { ...loadBalancerKind.facts(step, undefined).details }
    const operation = { id: 'op', verb: 'create', issuedAt: '', details }
    expect(
      rows.filter((row) => loadBalancerKind.creation.candidate(wanted(service), row, operation)),
    ).toHaveLength(1)
  })
})
