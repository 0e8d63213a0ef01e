/** One custom resource never has two cloud objects of its own alive at once. */
import type { History } from '../history.ts'
import type { Plan } from '../plan.ts'
import { losesStatus } from './excuses.ts'
import { clonesIn, forgottenIn } from './kept.ts'
import { factsOf, isTooLate, thingsIn, wordFor, type Made } from './facts.ts'

/** What a resource of each kind is in the cloud: a machine brings a disk and perhaps an address besides. */
export const MAIN: Readonly<Record<string, string>> = {
  CloudVM: 'vm',
  CloudDisk: 'disk',
  CloudBucket: 'bucket',
  CloudNetwork: 'network',
  CloudFloatingIP: 'floating ip',
  CloudLoadBalancer: 'load balancer',
  CloudSnapshot: 'replica',
  CloudAccessKey: 'key',
  CloudAPIToken: 'token',
}

/** What carries no name that the service shows. */
const NAMELESS: Readonly<Record<Plan['profile'], readonly string[]>> = {
  extended: ['CloudSnapshot', 'CloudAccessKey'],
  documented: ['CloudSnapshot', 'CloudAccessKey', 'CloudDisk', 'CloudLoadBalancer'],
}

export function duplicate(history: History): string[] {
  const { made, mutations, touched } = factsOf(history)
  const [clones, forgotten] = [clonesIn(history), forgottenIn(history)]
  const nameless = NAMELESS[history.plan.profile]
  const restored = history.plan.perturbations.some((each) => 'restoreEtcd' in each.do)
  const lost = history.plan.perturbations.some(({ do: trouble }) => losesStatus(trouble))
  const main = made.filter(({ owner, what }) => owner !== undefined && MAIN[owner.kind] === what)
  const isGone = (id: unknown, at: number): boolean =>
    mutations.some(
      (call) =>
        (call.doneAt ?? Infinity) <= at &&
        thingsIn(call.effect, 'deleted', 'destroyed').some((thing) => thing.id === id),
    )
  // The snapshots of a machine that is gone are listed nowhere.
  const goneBefore = ({ id, what, call }: Made, at: number): boolean =>
    touched.has(id) || isGone(id, at) || (what === 'replica' && isGone(call.body['uuid'], at))
  return main.flatMap((second, index) =>
    main
      .slice(0, index)
      .filter((first) => first.owner?.uid === second.owner?.uid && first.id !== second.id)
      // With the finalizer gone as well nothing tells that one was made.
      .filter(
        (first) => !((restored || forgotten.has(first.id)) && nameless.includes(first.owner?.kind ?? '')),
      )
      // A clone whose status is lost carries no marker any more, and looks like any other machine.
      .filter((first) => !(lost && clones.has(first.id)))
      // What came after the settle time could not be found before.
      .filter((first) => ![first, second].some(({ call }) => isTooLate(call, history)))
      .filter((first) => !goneBefore(first, second.call.arrivedAt ?? 0))
      .map(
        (first) =>
          `${wordFor(second.owner ?? { kind: '', name: '' })}: ${second.id} was made while ${first.id} was there`,
      ),
  )
}
