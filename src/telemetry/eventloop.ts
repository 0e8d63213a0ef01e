/** How late the event loop is, in a window of the last seconds. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Clock } from '../loop/clock.ts'

export interface EventLoopDelay {
  /** The 99th percentile of the last whole window, in milliseconds. */
  typicalMs(): number
  /** The longest of the last whole window, in milliseconds. */
  worstMs(): number
  close(): void
}

const WINDOW_MS = 10_000

/** The delay counts from the timer's own resolution on: an idle loop is near 0. */
const RESOLUTION_MS = 10

export function watchEventLoopDelay(clock: Clock): EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  let typicalMs = 0
  let worstMs = 0
  let cancel = turn()

  function turn(): () => void {
    return clock.after(WINDOW_MS, () => {
      typicalMs = milliseconds(histogram.percentile(99))
      worstMs = milliseconds(histogram.max)
      histogram.reset()
      cancel = turn()
    })
  }

  return {
    typicalMs: () => typicalMs,
    worstMs: () => worstMs,
    close: () => {
      cancel()
      histogram.disable()
    },
  }
}

function milliseconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS) : 0
}
