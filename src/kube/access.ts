/** How to connect and be somebody right now, kept for a while and read anew after a refusal. */
import type { Clock } from '../loop/clock.ts'

/** `generation` changes whenever the connection's own parts (TLS, proxy) do. */
export interface KubeAccess {
  readonly generation: number
  readonly tls: {
    readonly ca?: string | Buffer
    readonly cert?: string | Buffer
    readonly key?: string | Buffer
    readonly servername?: string
    readonly rejectUnauthorized?: boolean
  }
  readonly proxyUrl?: string
  readonly headers: Readonly<Record<string, string>>
}

/** One login's way to authenticate; keeps what its plugin says is still valid. */
export type Authenticate = () => Promise<Omit<KubeAccess, 'generation'>>

export interface CachedAccess {
  access(): Promise<KubeAccess>
  refresh(): Promise<void>
}

/** As in client-go: short enough for tokens that are rotated well before they end. */
const REREAD_MS = 60_000

/** A server that refuses good credentials must not make us run a plugin in a loop. */
const REFRESH_APART_MS = 5_000

/** `load` reads the configuration from scratch; called once now and at every refresh. */
export function cacheAccess(clock: Clock, load: () => Authenticate): CachedAccess {
  let authenticate = load()
  let cached: { readonly access: Promise<KubeAccess>; readonly at: number } | undefined
  let refreshedAt = -Infinity
  let connection = ''
  let generation = 0

  async function read(): Promise<KubeAccess> {
    const access = await authenticate()
    const now = JSON.stringify([access.tls, access.proxyUrl])
    if (now !== connection) generation += 1
    connection = now
    return { ...access, generation }
  }

  return {
    access: () => {
      if (cached !== undefined && clock.monotonic() - cached.at < REREAD_MS) return cached.access
      const entry = { access: read(), at: clock.monotonic() }
      cached = entry
      // A failure is not kept: the next call tries again.
      entry.access.catch(() => {
        if (cached === entry) cached = undefined
      })
      return entry.access
    },
    refresh: () => {
      if (clock.monotonic() - refreshedAt < REFRESH_APART_MS) return Promise.resolve()
      refreshedAt = clock.monotonic()
      cached = undefined
      let loaded: Authenticate | undefined
      // Read when it is needed, so that an unreadable file is an error of the request.
      authenticate = async () => (loaded ??= load())()
      return Promise.resolve()
    },
  }
}
