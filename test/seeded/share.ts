/** A part of the seeded faults, drawn by a seed: the same seed draws the same ones, and all seeds together draw all. */
import { createRandom, seedFor } from '../faults/random.ts'

/** So many of a hundred, at least one, in the order of the list. Throws where `percent` is none. */
export function shareOf<T>(list: readonly T[], percent: number, seed: number): readonly T[] {
  if (!(percent > 0 && percent <= 100)) throw new Error('a share is more than 0 and at most 100 percent')
  const random = createRandom(seedFor(seed, 'share'))
  const drawn = list
    .map((each) => ({ each, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, Math.ceil((list.length * percent) / 100))
  const taken = new Set(drawn.map(({ each }) => each))
  return list.filter((each) => taken.has(each))
}
