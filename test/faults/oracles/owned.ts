/** Whatever is new in the cloud belongs to an object that says so; after everything was deleted nothing new is left. */
import { momentOf, type History, type MomentEntry } from '../history.ts'
import type { Plan } from '../plan.ts'
import { losesStatus } from './excuses.ts'
import type { ModelObject } from '../kube/objects.ts'
import { conditionOf, factsOf, isTooLate } from './facts.ts'
import { clonesIn, forgottenIn, isAbandoned, keptIn, retainedIn } from './kept.ts'
import { unclaimedSnapshots } from './snapshots.ts'
import { candidatesIn, isClaimed, namedIn, thingsOf, toldIn, type Thing } from './inventory.ts'

export function owned(history: History): string[] {
  return [momentOf(history, 'settled'), momentOf(history, 'quiet')].flatMap((moment) => [
    ...unclaimed(history, moment),
    ...(moment === undefined ? [] : unclaimedSnapshots(history, moment)),
  ])
}

export function leak(history: History): string[] {
  const [begin, end] = [momentOf(history, 'begin'), momentOf(history, 'end')]
  if (begin === undefined || end === undefined) return []
  const { touched } = factsOf(history)
  const left = new Set(thingsOf(end.inventory).map(({ id }) => id))
  const missing = thingsOf(begin.inventory)
    // With a machine that a person deletes goes its boot disk.
    .filter(({ id, row }) => !left.has(id) && !touched.has(id) && !touched.has(String(row['attachedTo'])))
    .map(({ family, id }) => `${family} ${id} was there at the beginning and is gone`)
  return [
    ...unclaimed(history, end),
    ...unclaimedSnapshots(history, end),
    ...missing,
    ...unkept(history, left),
  ]
}

/** What our calls made for an object that was to leave it, and that nobody else touched or was given. */
function unkept(history: History, left: ReadonlySet<string>): readonly string[] {
  const { made, recorded, touched, statesOf } = factsOf(history)
  const kept = retainedIn(history)
  return (
    made
      .filter(({ id, owner }) => owner !== undefined && kept.has(id) && !left.has(id) && !touched.has(id))
      // Let go of by force, nothing says any more that it stays.
      .filter(({ id, owner }) =>
        [owner, recorded.get(id)].every((each) => !isAbandoned(statesOf(each?.uid ?? ''))),
      )
      .map(
        ({ what, id, owner }) =>
          `${what} ${id} was to stay when ${owner?.kind ?? ''} ${owner?.name ?? ''} went, and is gone`,
      )
  )
}

function unclaimed(history: History, moment: MomentEntry | undefined): string[] {
  const begin = momentOf(history, 'begin')
  if (begin === undefined || moment === undefined || moment.objects.some(asksWithoutAccount)) return []
  const before = new Set(thingsOf(begin.inventory).map(({ id }) => id))
  const { touched, made } = factsOf(history)
  const [kept, clones] = [keptIn(history), clonesIn(history)]
  const late = new Set(made.flatMap(({ id, call }) => (isTooLate(call, history) ? [id] : [])))
  const names = new Set([...namedIn(moment.objects), ...toldIn(history)])
  const asked = candidatesIn(moment.objects)
  const lost = history.plan.perturbations.some(({ do: trouble }) => losesStatus(trouble))
  return thingsOf(moment.inventory)
    .filter(
      ({ id, row }) =>
        ![id, String(row['attachedTo']), String(row['assignedTo'])].some((each) => kept.has(each)) &&
        !late.has(id),
    )
    .filter(({ id }) => !before.has(id) && !touched.has(id))
    .filter(
      (thing) =>
        !isClaimed(thing, names, asked) &&
        !isUnknowable(thing, history) &&
        !(lost && (isNameless(thing) || clones.has(thing.id))),
    )
    .map(({ family, id }) => `${moment.moment}: nobody answers for ${family} ${id}`)
}

/** Without its account, and with its status lost, an object holds on and cannot look for what it made. */
function asksWithoutAccount(object: ModelObject): boolean {
  return object.status?.['id'] === undefined && conditionOf(object, 'Ready')?.reason === 'AccountUnavailable'
}

/** Of these the service shows no name: without status and finalizer nothing tells of them. */
const NAMELESS: Readonly<Record<Plan['profile'], readonly string[]>> = {
  extended: ['keys'],
  documented: ['keys', 'disks', 'loadBalancers'],
}

function isUnknowable({ family, id }: Thing, history: History): boolean {
  const restored = history.plan.perturbations.some((each) => 'restoreEtcd' in each.do)
  return (restored || forgottenIn(history).has(id)) && NAMELESS[history.plan.profile].includes(family)
}

/** Carries no name of ours: whose it is stands in a status alone, and with that lost it is left where it is. */
function isNameless({ family, row }: Thing): boolean {
  return family === 'buckets' || (family === 'floatingIps' && row['name'] === '')
}
