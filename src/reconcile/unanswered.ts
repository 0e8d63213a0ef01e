/**
 * Changes that may be repeated, and have no intent for that, but were sent and not answered. Until one shows, or has had its
 * time, nothing more is sent to what it names: it could meet the next change there. This process alone knows of them; another
 * one begins after it has started, and repeating them harms nothing.
 */
import type { Clock } from '../loop/clock.ts'

export interface Sender {
  readonly uid: string
  readonly generation: number
}

export interface Unanswered {
  /** A change of this verb to these subjects was sent by an object, and not answered. */
  note(subjects: readonly string[], by: Sender, verb: string, forMs: number): void
  /** Milliseconds for which one of these must be left alone; undefined: nothing is open there. */
  leftMs(subjects: readonly string[]): number | undefined
  /** An exact read shows the object: what it no longer has to do for the same wish has taken effect. */
  seen(by: Sender, planned: readonly string[]): void
}

interface Open extends Sender {
  readonly subjects: readonly string[]
  readonly verb: string
  readonly until: number
}

export function createUnanswered(clock: Clock): Unanswered {
  let open: readonly Open[] = []
  const current = (): readonly Open[] => (open = open.filter(({ until }) => until > clock.monotonic()))
  return {
    note(subjects, { uid, generation }, verb, forMs) {
      open = [...current(), { uid, generation, subjects, verb, until: clock.monotonic() + forMs }]
    },
    leftMs(subjects) {
      const there = current().filter((each) => each.subjects.some((one) => subjects.includes(one)))
      if (there.length === 0) return undefined
      return Math.max(...there.map(({ until }) => until)) - clock.monotonic()
    },
    seen({ uid, generation }, planned) {
      if (open.length === 0) return
      open = open.filter(
        (each) => each.uid !== uid || each.generation !== generation || planned.includes(each.verb),
      )
    },
  }
}
