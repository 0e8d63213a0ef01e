/** Secrets and ConfigMaps by name, read once per distinct name and interval. Values stay in memory and are hidden from every log line. */
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

type Source = 'Secret' | 'ConfigMap'

export interface Secrets {
  /** The value under `key`; at most `maxAgeMs` old. `from`: a Secret where absent. Throws KubeError. */
  read(namespace: string, name: string, key: string, maxAgeMs: number, from?: Source): Promise<SecretRead>
}

interface Cached {
  readonly readAt: number
  readonly secret: ReturnType<KubeClient['getSecret']>
}

export function createSecrets(kube: KubeClient, clock: Clock, log: Log): Secrets {
  const cache = new Map<string, Cached>()
  const current = (from: Source, namespace: string, name: string, maxAgeMs: number): Cached['secret'] => {
    const id = `${from}/${namespace}/${name}`
    const known = cache.get(id)
    if (known !== undefined && clock.monotonic() - known.readAt <= maxAgeMs) return known.secret
    const secret = from === 'Secret' ? kube.getSecret(namespace, name) : kube.getConfigMap(namespace, name)
    cache.set(id, { readAt: clock.monotonic(), secret })
    // A failed or empty read is not kept: whoever waits for the Secret asks again.
    secret.then(
      (found) => found ?? cache.delete(id),
      () => cache.delete(id),
    )
    return secret
  }
  return {
    async read(namespace, name, key, maxAgeMs, from = 'Secret') {
      const secret = await current(from, namespace, name, maxAgeMs).catch((error: unknown) => {
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
