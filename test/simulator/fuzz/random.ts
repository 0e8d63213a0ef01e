/** Randomness of a seed: the same seed draws the same things, on every machine. */

export interface Random {
  /** Uniform in [0, 1). */
  fraction(): number
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  chance(probability: number): boolean
  /** One of them; throws when there are none. */
  oneOf<T>(items: readonly T[]): T
  text(alphabet: string, length: number): string
}

/** Draws by mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number): number => least + Math.floor(fraction() * (most - least + 1))
  const oneOf = <T>(items: readonly T[]): T => {
    const item = items[whole(0, items.length - 1)]
    if (item === undefined) throw new Error('nothing to draw from')
    return item
  }
  return {
    fraction,
    whole,
    oneOf,
    chance: (probability) => fraction() < probability,
    text: (alphabet, length) => Array.from({ length }, () => oneOf(Array.from(alphabet))).join(''),
  }
}
