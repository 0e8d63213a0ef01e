/** Seeded randomness: the same seed gives the same numbers, on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number
  /** `bytes` bytes as lower-case hexadecimal. */
  hex(bytes: number): string
  /** One of the list; throws on an empty one. */
  pick<T>(from: readonly T[]): T
}

/** Mulberry32: small, quick, and good enough to spread ties and delays. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    hex: (bytes) => Array.from({ length: bytes }, () => below(256).toString(16).padStart(2, '0')).join(''),
    pick: (from) => {
      const chosen = from[below(from.length)]
      if (chosen === undefined) throw new Error('nothing to pick from')
      return chosen
    },
  }
}

/** A seed of its own for each part of a run, so that one part's draws do not move another's. */
export function seedFor(seed: number, part: string): number {
  return fold(fold(0x811c9dc5, String(seed)), part)
}

/** FNV-1a, 32 bits: folds a text into a running hash. */
export function fold(hash: number, text: string): number {
  let folded = hash >>> 0
  for (let i = 0; i < text.length; i++) folded = Math.imul(folded ^ text.charCodeAt(i), 0x01000193) >>> 0
  return folded
}
