import { afterAll, beforeAll, expect, test } from 'vitest'
import { floatingIpKind } from '../../../../src/kinds/floatingip/kind.ts'
import type { Target, WantedFloatingIp, WantedTarget } from '../../../../src/kinds/floatingip/plan.ts'
import { markedName } from '../../../../src/reconcile/marker.ts'
import { needed } from '../../../../src/reconcile/needed.ts'
import { marker, reading, startService, walk, type Service } from '../service.ts'

let service: Service
beforeAll(async () => {
  service = await startService('extended')
})
afterAll(() => service.stop())

function wanted(target: WantedTarget, name = 'address'): WantedFloatingIp {
  return {
    name: markedName(name, marker),
    chargedTo: service.session.billingAccount,
    billingAccount: undefined,
    target,
    assignsLoadBalancers: true,
    observes: false,
  }
}

function machine(name: string): Target {
  const { apiKey, simulator } = service
  const { ids } = simulator.control.mutate({ do: 'create', kind: 'vm', name, apiKey })
  return { kind: 'CloudVM', name, id: needed(ids[0]) }
}

const object = {
  apiVersion: 'cloud-operator.dev/v1alpha1',
  kind: 'CloudFloatingIP',
  metadata: {
    name: 'a',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '',
  },
  spec: {},
}

test('an address is made, assigned, moved, unassigned and deleted', async () => {
  const [web, other] = [machine('web'), machine('other')]
  const made = await walk(service, floatingIpKind, { want: wanted({ is: 'ready', ...web }) })
  expect(made.did).toEqual(['create', 'assign'])
  expect(made.status).toMatchObject({
    assignedTo: { kind: 'CloudVM', name: 'web', id: web.id },
    enabled: true,
  })
  expect(made.status.id).toBe(needed(made.seen).id)

  const moved = await walk(service, floatingIpKind, {
    ...made,
    want: wanted({ is: 'ready', ...other }, 'renamed'),
  })
  expect(moved.did).toEqual(['unassign', 'assign', 'update'])
  expect(moved.status).toMatchObject({
    address: made.status.address,
    assignedTo: { name: 'other', id: other.id },
  })

  const free = await walk(service, floatingIpKind, { ...moved, want: wanted({ is: 'nothing' }, 'renamed') })
  expect(free.did).toEqual(['unassign'])
  expect(free.status.assignedTo).toBeUndefined()

  const again = await walk(service, floatingIpKind, {
    ...free,
    want: wanted({ is: 'ready', ...web }, 'renamed'),
  })
  const gone = await walk(service, floatingIpKind, { seen: needed(again.seen), status: again.status, object })
  expect(gone).toMatchObject({ did: ['unassign', 'delete'], seen: undefined })
})

test('an address moves between a machine and a load balancer', async () => {
  const { apiKey, simulator } = service
  const { ids } = simulator.control.mutate({ do: 'create', kind: 'loadBalancer', name: 'front', apiKey })
  const front: Target = { kind: 'CloudLoadBalancer', name: 'front', id: needed(ids[0]) }
  const first = await walk(service, floatingIpKind, { want: wanted({ is: 'ready', ...front }) })
  expect(first.did).toEqual(['create', 'assign'])
  expect(first.seen?.assigned).toMatchObject({ to: front.id, type: 'load_balancer' })
  const want = wanted({ is: 'ready', ...machine('web3') })
  expect((await walk(service, floatingIpKind, { ...first, want })).did).toEqual(['unassign', 'assign'])
  expect(simulator.control.counters().preconditionsViolated).toEqual(0)
})

test('an address that somebody assigned elsewhere is left there', async () => {
  const [web, stranger] = [machine('web2'), machine('stranger')]
  const made = await walk(service, floatingIpKind, { want: wanted({ is: 'ready', ...web }) })
  const address = needed(made.status.address)
  service.simulator.control.mutate({ do: 'unassignIp', address })
  service.simulator.control.mutate({ do: 'assignIp', address, to: stranger.id })
  const seen = needed(await floatingIpKind.reads.exact(reading(service, made.status), needed(made.status.id)))
  const left = await walk(service, floatingIpKind, { ...made, seen, want: wanted({ is: 'ready', ...web }) })
  expect(left.did).toEqual([])
})

test('is found by its number through the list, by its address to adopt, and not under another number', async () => {
  const made = await walk(service, floatingIpKind, { want: wanted({ is: 'nothing' }, 'found') })
  const { id = '', address = '' } = made.status
  expect(await floatingIpKind.reads.exact(reading(service), id)).toEqual(made.seen)
  expect(await floatingIpKind.reads.row(reading(service), id)).toEqual(made.seen)
  expect(await floatingIpKind.findToAdopt?.(reading(service), address)).toEqual(made.seen)
  expect(await floatingIpKind.findToAdopt?.(reading(service), '203.0.113.250')).toBeUndefined()
  // The address was freed and handed out again: what status.id names is gone.
  const reused = { id: '1', address }
  expect(await floatingIpKind.reads.exact(reading(service, reused), '1')).toBeUndefined()
})
