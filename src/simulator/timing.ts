/** How long operations take. */
import type { Pace } from './http/route.ts'
import { fraction } from './state/ids.ts'

/** 'real' as deployed, 'instant' without any waiting, or real times multiplied. */
export type Timing = 'instant' | 'real' | { scale: number }

/** Milliseconds of an operation; the usual ones vary from 150 to 400 by seed and call. */
export function paceMs(timing: Timing, pace: Pace, seed: number, seq: number): number {
  const scale = timing === 'instant' ? 0 : timing === 'real' ? 1 : timing.scale
  if (scale === 0) return 0
  return scale * fullMs(pace, seed, seq)
}

function fullMs(pace: Pace, seed: number, seq: number): number {
  switch (pace) {
    case 'vmCreate':
      return 33_000
    case 'vmStop':
      return 22_000
    case 'vmStart':
      return 4_000
    case 'usual':
      return 150 + Math.round(250 * fraction(seed, `pace/${seq}`))
  }
}
