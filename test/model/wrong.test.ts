/** Planners with one fault each: the check finds every one, or it would find none in the real ones. */
import { describe, expect, test } from 'vitest'
import type { ApiTokenStep } from '../../src/kinds/apitoken/plan.ts'
import type { BucketStep } from '../../src/kinds/bucket/plan.ts'
import type { FloatingIpStep } from '../../src/kinds/floatingip/plan.ts'
import type { LoadBalancerStep } from '../../src/kinds/loadbalancer/steps.ts'
import type { Plan } from '../../src/reconcile/plan.ts'
import type { VmStep } from '../../src/kinds/vm/steps.ts'
import { check } from './check.ts'
import { apiTokenEnds, bucketEnds, networkEnds } from './ends.ts'
import { diskEnds, floatingIpEnds, loadBalancerEnds } from './placed-ends.ts'
import { bucketModel } from './kinds/bucket.ts'
import { apiTokenModel } from './kinds/credentials.ts'
import { diskModel } from './kinds/disk.ts'
import { floatingIpModel } from './kinds/floatingip.ts'
import { loadBalancerModel } from './kinds/loadbalancer-states.ts'
import { networkModel } from './kinds/network.ts'
import { vmModel } from './kinds/vm-states.ts'
import { operationStates } from './kinds/vmoperation-states.ts'
import { REAL } from './kinds/vmoperation.ts'
import type { Model, Planner, State, Words } from './model.ts'
import { checkOperations } from './operation-check.ts'
import { vmEnds } from './vm-ends.ts'

const vm = { ...vmModel, ends: vmEnds }
const disk = { ...diskModel, ends: diskEnds }
const bucket = { ...bucketModel, ends: bucketEnds }
const network = { ...networkModel, ends: networkEnds }
const floatingIp = { ...floatingIpModel, ends: floatingIpEnds }
const loadBalancer = { ...loadBalancerModel, ends: loadBalancerEnds }
const token = { ...apiTokenModel, ends: apiTokenEnds }

/** Every so many states are enough to find a fault that is everywhere. */
const SHARE = 23

function some<T>(all: Iterable<T>): readonly T[] {
  const list: T[] = []
  let count = 0
  for (const each of all) if (count++ % SHARE === 0) list.push(each)
  return list
}

const samples = new Map<string, unknown>()

function sampleOf<W extends Words>({ kind, states }: Model<W>): readonly State<W>[] {
  const known = samples.get(kind) ?? some(states())
  samples.set(kind, known)
  return known as readonly State<W>[]
}

/** The laws that a planner breaks. */
function broken<W extends Words>(model: Model<W>, wrong: Partial<Planner<W>>): readonly string[] {
  const states = () => sampleOf(model)
  return check({ ...model, states, planner: { ...model.planner, ...wrong } }).faults.map(({ law }) => law)
}

/** Milliseconds, on a machine that may do other things. */
const PATIENCE = 120_000

const isStop = ({ do: verb }: VmStep) => verb === 'stop' || verb === 'forceStop'

describe('a wrong planner is found', { timeout: PATIENCE }, () => {
  test('one that changes a size while the machine runs', () => {
    const { plan } = vm.planner
    const laws = broken(vm, {
      plan: (want, seen, memory) => {
        const right = plan(want, seen, memory)
        return { ...right, steps: right.steps.filter((step) => !isStop(step)) }
      },
    })
    expect(laws).toContain('a size is changed only while the machine is shown to be stopped')
  })

  test('one that toggles without looking', () => {
    const { plan } = vm.planner
    const laws = broken(vm, {
      plan: (want, seen, memory) => {
        const right = plan(want, seen, memory)
        const toggle: VmStep = { do: 'toggleBackups', to: want.backups === true }
        return seen === undefined || want.backups === undefined || seen.power === 'between'
          ? right
          : { ...right, steps: [toggle, ...right.steps.filter((step) => step.do !== 'toggleBackups')] }
      },
    })
    expect(laws).toContain('backups are toggled only where they are shown to differ')
    expect(laws).toContain('a walk comes to an end')
  })

  test('one that never ends', () => {
    const { plan } = bucket.planner
    const laws = broken(bucket, {
      plan: (want, seen, memory): Plan<BucketStep> =>
        seen === undefined
          ? plan(want, seen, memory)
          : { steps: [{ do: 'setBillingAccount', billingAccount: seen.billingAccount === 1 ? 2 : 1 }] },
    })
    expect(laws).toContain('a walk comes to an end')
  })

  test('one that says nothing about why it stops', () => {
    const laws = broken(network, { planGone: () => ({ steps: [] }) })
    expect(laws).toEqual(['a walk ends where the list says'])
  })

  test('one that says it is done before it is', () => {
    const { plan } = network.planner
    const laws = broken(network, {
      plan: (want, seen, memory) => (seen === undefined ? plan(want, seen, memory) : { steps: [] }),
    })
    expect(laws).toEqual(['a walk ends where the list says'])
  })

  test('one that deletes a machine with the disks that are attached to it', () => {
    const { planGone } = vm.planner
    const laws = broken(vm, {
      planGone: (seen, memory, object) => {
        const right = planGone(seen, memory, object)
        return { ...right, steps: right.steps.filter((step) => step.do !== 'detachDisk') }
      },
    })
    expect(laws).toContain('nothing that is not ours is destroyed')
  })

  test('one that leaves off a machine that it stopped', () => {
    const { plan } = vm.planner
    const laws = broken(vm, {
      plan: (want, seen, memory) => {
        const right = plan(want, seen, memory)
        return { ...right, steps: right.steps.filter((step) => step.do !== 'start') }
      },
    })
    expect(laws).toContain('a walk ends where the list says')
  })

  test('one that does not remember that the machine ran', () => {
    expect(broken(vm, { remember: () => ({}) })).toContain('a walk ends where the list says')
  })

  test('one that attaches a disk before it is free', () => {
    const { plan } = disk.planner
    const laws = broken(disk, {
      plan: (want, seen, memory) => {
        const right = plan(want, seen, memory)
        return { ...right, steps: right.steps.filter((step) => step.do !== 'detach') }
      },
    })
    expect(laws).toContain('a disk is attached only while it is known to be free')
  })

  test('one that takes an address from whoever has it', () => {
    const laws = broken(floatingIp, {
      planGone: ({ assigned }): Plan<FloatingIpStep> => ({
        steps: assigned === undefined ? [{ do: 'delete' }] : [{ do: 'unassign', from: assigned.to }],
      }),
    })
    expect(laws).toContain('an address is taken only from what we assigned it to')
  })

  test('one that calls what the service does not have', () => {
    const laws = broken(loadBalancer, {
      planGone: (): Plan<LoadBalancerStep> => ({ steps: [{ do: 'delete' }] }),
    })
    expect(laws).toContain('of a service that only lists and creates nothing else is asked')
  })

  test('one that deletes what is not on record as its own', () => {
    const laws = broken(token, {
      planGone: ({ others }): Plan<ApiTokenStep> => ({
        steps: [...others.map((id) => ({ do: 'retire' as const, id })), { do: 'delete' }],
      }),
    })
    expect(laws).toContain('an old one is deleted only if it is on record as ours and still there')
  })

  test('one whose steps lock no machine', () => {
    const { facts } = disk.planner
    const laws = broken(disk, { facts: (step, seen) => ({ ...facts(step, seen), locks: [] }) })
    expect(laws).toContain('a call that names a virtual machine locks it')
  })

  test('one that does not say that a step stops the machine', () => {
    const { facts } = vm.planner
    const laws = broken(vm, { facts: (step, seen) => ({ ...facts(step, seen), stops: false }) })
    expect(laws).toContain('a step that stops a running machine says so')
  })

  test('one that takes an effect for granted', () => {
    expect(broken(disk, { effect: () => true })).toContain('an effect is not there before its step')
  })

  test('one that never sees an effect', () => {
    expect(broken(disk, { effect: () => false })).toContain('an effect is there after its step')
  })

  test('one for which a toggle is harmless twice', () => {
    const { facts } = vm.planner
    const laws = broken(vm, { facts: (step, seen) => ({ ...facts(step, seen), nature: 'set' as const }) })
    expect(laws).toContain('a step of nature set does twice what it does once')
  })
})

describe('a wrong planner of operations is found', { timeout: PATIENCE }, () => {
  const states = some(operationStates())
  const brokenBy = (wrong: Partial<typeof REAL>) =>
    checkOperations({ ...REAL, ...wrong }, states).faults.map(({ law }) => law)

  test('one that sends again what was sent', () => {
    const laws = brokenBy({ nextOf: (progress) => REAL.nextOf({ ...progress, sent: [] }) })
    expect(laws).toContain('a call that is not harmless twice is sent at most once')
  })

  test('one that goes on where it does not know what became of a call', () => {
    const nextOf: typeof REAL.nextOf = (progress) =>
      REAL.nextOf(progress.open === undefined ? progress : { ...progress, open: undefined })
    expect(brokenBy({ nextOf })).toContain('a walk ends where the list says')
  })

  test('one that leaves a machine off whose operation is deleted', () => {
    expect(brokenBy({ partingOf: () => undefined })).toContain('a walk ends where the list says')
  })
})
