/** Secrets by name, read once per distinct name and interval. Values stay in memory and are hidden from every log line. */
import { isKubeError } from '../kube/errors.ts'
import type { KubeClient } from '../kube/requests.ts'
import type { Clock } from '../loop/clock.ts'
import type { Log } from '../telemetry/log.ts'

export type SecretRead =
  | { readonly is: 'there'; readonly uid: string; readonly version: string; readonly value: string }
  | { readonly is: 'missing' }
  | { readonly is: 'withoutKey' }
  /** The API server does not let the operator read it. */
  | { readonly is: 'forbidden' }

export interface Secrets {
  /** The value under `key`; at most `maxAgeMs` old. Throws KubeError. */
  read(namespace: string, name: string, key: string, maxAgeMs: number): Promise<SecretRead>
}

interface Cached {
  readonly readAt: number
  readonly secret: ReturnType<KubeClient['getSecret']>
}

export function createSecrets(kube: KubeClient, clock: Clock, log: Log): Secrets {
  const cache = new Map<string, Cached>()
  const current = (namespace: string, name: string, maxAgeMs: number): Cached['secret'] => {
    const id = `${namespace}/${name}`
    const known = cache.get(id)
    if (known !== undefined && clock.monotonic() - known.readAt <= maxAgeMs) return known.secret
    const secret = kube.getSecret(namespace, name)
    cache.set(id, { readAt: clock.monotonic(), secret })
    // A failed or empty read is not kept: whoever waits for the Secret asks again.
    secret.then(
      (found) => found ?? cache.delete(id),
      () => cache.delete(id),
    )
    return secret
  }
  return {
    async read(namespace, name, key, maxAgeMs) {
      const secret = await current(namespace, name, maxAgeMs).catch((error: unknown) => {
        if (isKubeError(error, 'forbidden')) return 'forbidden' as const
        throw error
      })
      if (secret === 'forbidden') return { is: 'forbidden' }
      if (secret === undefined) return { is: 'missing' }
      const value = secret.data[key]
      if (value === undefined || value === '') return { is: 'withoutKey' }
      log.hide(value)
      return { is: 'there', uid: secret.metadata.uid, version: secret.metadata.resourceVersion, value }
    },
  }
}
