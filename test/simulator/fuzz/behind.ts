/** What people do behind a client's back, between its calls. */
import type { Change } from '../../../src/simulator/changes.ts'
import type { SimulatorControl } from '../../../src/simulator/control.ts'
import type { Random } from './random.ts'
import { living, type State } from './state.ts'

/** Makes one such change where there is something to change. */
export function meddle(control: SimulatorControl, state: State, random: Random): void {
  const change = random.oneOf(changes)(state, random)
  if (change !== undefined) control.mutate(change)
}

type Draw = (state: State, random: Random) => Change | undefined

const changes: readonly Draw[] = [
  (state, random) =>
    some([...state.buckets.values()], random, ({ name }) => ({
      do: 'setBucket',
      bucket: name,
      set: { objects: random.whole(0, 2) },
    })),
  (state, random) => some(living(state.vms), random, ({ uuid }) => ({ do: 'delete', kind: 'vm', id: uuid })),
  (state, random) => some(freeDisks(state), random, ({ uuid }) => ({ do: 'delete', kind: 'disk', id: uuid })),
  (state, random) => some(freeDisks(state), random, ({ uuid }) => ({ do: 'snapshotDisk', disk: uuid })),
  (state, random) =>
    some(living(state.vms), random, ({ uuid }) => ({
      do: 'addReplica',
      vm: uuid,
      type: random.oneOf(['backup', 'snapshot']),
    })),
  (state, random) =>
    some(
      living(state.floatingIps).filter(({ assignedTo }) => assignedTo !== null),
      random,
      ({ address }) => ({ do: 'unassignIp', address }),
    ),
  (state, random) =>
    some([...state.networks.values()], random, ({ uuid }) => ({ do: 'setDefaultNetwork', uuid })),
]

function freeDisks(state: State) {
  return living(state.disks).filter(({ attachedTo }) => attachedTo === null)
}

function some<T>(things: readonly T[], random: Random, change: (thing: T) => Change): Change | undefined {
  return things.length === 0 ? undefined : change(random.oneOf(things))
}
