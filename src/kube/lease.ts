/** Leader election on a coordination.k8s.io Lease, over a connection of its own. */
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { classifyFailure } from './classify.ts'
import { leaseObject, type LeaseRecord } from './lease-record.ts'
import type { SendKube } from './transport.ts'

export interface LeaseDurations {
  /** Others wait this long after the last renewal they saw. */
  readonly leaseMs: number
  /** The holder gives up when it could not renew for this long. */
  readonly renewMs: number
  /** Between attempts, whether to renew or to acquire. */
  readonly retryMs: number
}

export interface LeaseOptions {
  /** A dedicated sender of the transport. */
  readonly send: SendKube
  readonly namespace: string
  readonly name: string
  /** Unique to this process. */
  readonly identity: string
  readonly durations?: LeaseDurations
  readonly clock: Clock
  readonly log: Log
  readonly metrics?: Metrics
  readonly onGained: () => void
  /** At most once, after onGained; nothing is tried again: the process is to end. Not called after `release` or `stop`. */
  readonly onLost: (reason: string) => void
}

export interface Lease {
  /** Synchronous; by the larger of the monotonic and the wall time since the last renewal was *sent*. */
  held(): boolean
  /** Not held from this moment; gives the lease back so that the next one takes it at once. Never rejects. */
  release(): Promise<void>
  /** Ends all attempts without giving the lease back. */
  stop(): void
}

const DURATIONS: LeaseDurations = { leaseMs: 15_000, renewMs: 10_000, retryMs: 2_000 }

/** Both clocks at one moment: a suspended machine stops the monotonic one, a stepped clock moves the other. */
interface Moment {
  readonly wall: number
  readonly monotonic: number
}

/** Starts to acquire at once, then renews until lost, released or stopped. */
export function startLease(o: LeaseOptions): Lease {
  const { clock } = o
  const durations = o.durations ?? DURATIONS
  const end = new AbortController()
  const object = leaseObject({ ...o, signal: end.signal })
  const ended = () => end.signal.aborted
  /** What the lease was when last read or written; undefined: read it again. */
  let known: LeaseRecord | undefined
  /** Since when another's record has stood unchanged, by our own clock: never by what the other wrote. */
  let observed: { readonly resourceVersion: string; readonly at: number } | undefined
  let renewedAt: Moment | undefined
  let cancelDeadline: () => void = () => undefined

  const moment = (): Moment => ({ wall: clock.now(), monotonic: clock.monotonic() })
  const held = () => renewedAt !== undefined && !ended() && elapsedMs(renewedAt) < durations.renewMs

  function elapsedMs(since: Moment): number {
    const now = moment()
    return Math.max(now.wall - since.wall, now.monotonic - since.monotonic)
  }

  async function run(): Promise<void> {
    while (!ended()) {
      await attempt()
      if (renewedAt !== undefined && !held()) lose(`it was not renewed for ${durations.renewMs / 1000} s`)
      // Waiting ones spread over a fifth, so that they do not come at once.
      const spread = renewedAt === undefined ? 0.9 + clock.random() / 5 : 1
      await clock.sleep(durations.retryMs * spread, end.signal)
    }
  }

  async function attempt(): Promise<void> {
    try {
      // Another's record is old by now; our own is only changed by us.
      if (known?.holder !== o.identity) known = await object.read()
      if (!mayTake(known)) return
      const sentAt = moment()
      known = await object.hold(known, o.identity, durations.leaseMs)
      // An answer this late promises nothing: the next attempt renews.
      if (!ended() && elapsedMs(sentAt) < durations.renewMs) renewed(sentAt)
    } catch (error) {
      known = undefined
      const failure = classifyFailure('lease', error)
      if (ended() || failure.class === 'conflict') return
      o.log.warn({ about: failure.class }, failure.message)
    }
  }

  function mayTake(record: LeaseRecord | undefined): boolean {
    if (ended()) return false
    if (record === undefined || record.holder === o.identity) return true
    if (renewedAt !== undefined) {
      lose(`${record.holder === '' ? 'nobody' : record.holder} holds it`)
      return false
    }
    if (record.holder === '') return true
    if (observed?.resourceVersion !== record.resourceVersion) {
      observed = { resourceVersion: record.resourceVersion, at: clock.monotonic() }
      o.log.debug({ holder: record.holder }, 'another process holds the lease')
    }
    return clock.monotonic() - observed.at >= record.durationMs
  }

  function renewed(sentAt: Moment): void {
    const gained = renewedAt === undefined
    renewedAt = sentAt
    cancelDeadline()
    const left = durations.renewMs - elapsedMs(sentAt)
    cancelDeadline = clock.after(left, () => lose(`it was not renewed for ${durations.renewMs / 1000} s`))
    if (!gained) return
    o.metrics?.leader(true)
    o.log.info({ identity: o.identity }, 'the lease is held')
    o.onGained()
  }

  function lose(reason: string): void {
    if (ended()) return
    stop()
    o.log.error({ identity: o.identity, reason }, 'the lease is lost')
    o.onLost(reason)
  }

  function stop(): void {
    end.abort()
    cancelDeadline()
    o.metrics?.leader(false)
  }

  async function giveBack(): Promise<void> {
    try {
      const last = leaseObject(o)
      // What was in flight may have been written or not.
      const record = await last.read()
      if (record?.holder === o.identity) await last.clear(record)
    } catch (error) {
      o.log.warn({ error }, 'the lease could not be given back: it runs out by itself')
    }
  }

  o.metrics?.leader(false)
  const running = run()
  return {
    held,
    stop,
    release: async () => {
      if (ended()) return
      stop()
      await running
      await giveBack()
    },
  }
}
