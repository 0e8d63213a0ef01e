/** Where the API server is and how to be somebody there: kubeconfig, service account, exec plugin. */
import type { Clock } from '../loop/clock.ts'

/** How to connect right now; `generation` changes whenever the connection's own parts (TLS, proxy) do. */
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

export interface KubeCredentials {
  /** The base URL, possibly with a path, never with a trailing slash. */
  readonly server: string
  /** The namespace of the context or the service account. */
  readonly namespace: string | undefined
  /** Cached for a minute, so that rotated files and tokens are picked up. Throws CredentialsError. */
  access(): Promise<KubeAccess>
  /** Forgets what is cached, after a 401: the next access reads every file and runs the plugin again. */
  refresh(): Promise<void>
}

/** The kubeconfig or the service account cannot be used; the message is one clear line. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError'
}

export interface CredentialsOptions {
  /** Path of a kubeconfig, or several joined as in KUBECONFIG; absent: the pod's service account, else ~/.kube/config. */
  readonly kubeconfig?: string
  readonly context?: string
  readonly clock?: Clock
}

/** Reads the configuration once (throws CredentialsError when it is unusable); secrets are read at each access. */
export function loadCredentials(o: CredentialsOptions): KubeCredentials {
  throw new CredentialsError(`not built yet: ${o.kubeconfig ?? ''}`)
}
