/**
 * The rig's world, driven by hand: for what no plan can say, such as a second key, a definition that leaves or SIGTERM. Each
 * story here is sound without a fault, and fails with the one that it is named in.
 */
import { carryOutStep } from '../../faults/people.ts'
import { accountSpecOf } from '../../faults/account.ts'
import type { CallEntry } from '../../faults/history.ts'
import type { ModelObject } from '../../faults/kube/objects.ts'
import { resourceOf } from '../../faults/kube/resources.ts'
import { conditionOf } from '../../faults/oracles/facts.ts'
import type { Manifest, Named, PersonStep } from '../../faults/steps.ts'
import { createWorld, NAMESPACE, type World } from '../../faults/world.ts'
import type { Leaders, Perturbation } from '../../faults/plan.ts'

export interface Story {
  readonly world: World
  /** What a person does, at once. */
  person(step: PersonStep): void
  apply(...objects: readonly Manifest[]): void
  /** Runs until `done` holds; throws after `limitMs` of virtual time. */
  readonly until: (done: () => boolean, limitMs?: number) => Promise<void>
  /** Runs for so long, whatever happens. */
  wait(ms: number): Promise<void>
  object(named: Named): ModelObject | undefined
  /** Usable, and as the spec says. */
  isGood(named: Named): boolean
  /** Changes sent to the service so far, of one label where one is given. */
  changes(label?: string): readonly CallEntry[]
}

/** A seed whose run keeps the lines of its log. */
export const KEEPS_LINES = 16

/** An account, and nothing else; no process runs yet. */
export function begin(
  leaders: Leaders = 'one',
  seed = 1,
  perturbations: readonly Perturbation[] = [],
): Story {
  const world = createWorld({
    scenario: 'network',
    seed,
    profile: 'extended',
    leaders,
    perturbations,
  })
  const { scheduler, model } = world
  const person = (step: PersonStep): void => carryOutStep(world, step)
  const apply = (...objects: readonly Manifest[]): void => person({ do: 'apply', objects })
  const object = ({ kind, name }: Named) => model.get(resourceOf(kind), NAMESPACE, name)
  apply({
    kind: 'CloudAccount',
    name: 'default',
    spec: accountSpecOf(world),
  })
  return {
    world,
    person,
    apply,
    object,
    until: async (done, limitMs = LIMIT_MS) => {
      if (!(await scheduler.run(done, scheduler.now() + limitMs)))
        throw new Error(`not within ${limitMs / 1_000} s: ${done.toString()}`)
    },
    wait: async (ms) => {
      await scheduler.run(() => false, scheduler.now() + ms)
    },
    isGood: (named) => {
      const found = object(named)
      if (found === undefined || found.status?.['observedGeneration'] !== found.metadata.generation)
        return false
      return ['Ready', 'Synced'].every((type) => conditionOf(found, type)?.status === 'True')
    },
    changes: (label) =>
      world.entries.flatMap((each) =>
        each.is === 'call' && each.mutation && (label === undefined || each.label === label) ? [each] : [],
      ),
  }
}

const LIMIT_MS = 600_000
