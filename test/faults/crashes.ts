/** Points at which a process dies: around each change in the cloud and each write to the API server. */
import { isChange } from './endpoints.ts'
import { entriesOf, type History } from './history.ts'
import type { Moment, Perturbation } from './plan.ts'

/** The call never arrives; it is done and the answer is on its way; right after the answer was taken. */
export const CRASH_POINTS = ['before', 'committed', 'answered'] as const

export type CrashPoint = (typeof CRASH_POINTS)[number]

/** The row of a write: a change in the cloud, or verb and kind of a write to the API server; undefined: a read. */
export function writeOf({ port, call }: Pick<Moment, 'port' | 'call'>): string | undefined {
  if (port === 'cloud') return isChange(call) ? call : undefined
  const [verb = '', resource = ''] = call.split(' ')
  return ['get', 'list', 'watch'].includes(verb) ? undefined : `${verb} ${resource}`
}

/** The row and the point of a perturbation that kills at a write. */
export function crashOf(perturbation: Perturbation): readonly [write: string, point: CrashPoint] | undefined {
  const { at, do: trouble } = perturbation
  const write = writeOf(at)
  if (write === undefined || !('kill' in trouble)) return undefined
  const point = CRASH_POINTS.find((each) => each === trouble.kill)
  return point && [write, point]
}

/** The deaths of a run; none where not every kill that was to happen did, as then nothing tells which one it was. */
export function crashesIn(history: History): readonly (readonly [write: string, point: CrashPoint])[] {
  const meant = entriesOf(history, 'trouble').filter(({ perturbation }) => 'kill' in perturbation.do)
  const deaths = entriesOf(history, 'process').filter(({ what }) => what === 'killed')
  return deaths.length < meant.length ? [] : meant.flatMap((each) => toList(crashOf(each.perturbation)))
}

function toList<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value]
}
