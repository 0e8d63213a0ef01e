/** Counts calls by their label and says what is to go wrong with each. */
import type { Moment, Perturbation, Trouble } from './plan.ts'

export interface Troubles {
  /** Counts one call; the troubles that meet it, in the plan's order. */
  meet(port: Moment['port'], call: string): readonly Trouble[]
  /** Nothing goes wrong any more. */
  end(): void
  /** It may again. */
  resume(): void
  /** How often each label was counted. */
  counts(): ReadonlyMap<string, number>
}

/** `met` is told of each one that happens. */
export function createTroubles(
  perturbations: readonly Perturbation[],
  met: (perturbation: Perturbation) => void,
): Troubles {
  const counts = new Map<string, number>()
  let over = false
  return {
    meet: (port, call) => {
      const key = `${port} ${call}`
      const nth = (counts.get(key) ?? 0) + 1
      counts.set(key, nth)
      if (over || perturbations.length === 0) return []
      const meeting = perturbations.filter(
        ({ at }) => at.port === port && at.call === call && nth >= at.nth && nth < at.nth + (at.times ?? 1),
      )
      for (const each of meeting) met(each)
      return meeting.map((each) => each.do)
    },
    end: () => void (over = true),
    resume: () => void (over = false),
    counts: () => counts,
  }
}
