/** What an account keeps in Secrets, or what it waits for without one. */
import type { SecretKeyReference } from '../../api/shared.ts'
import type { Ended, Pass } from '../../reconcile/pass.ts'
import type { SecretRead } from '../../reconcile/secrets.ts'

export type SecretThere = Extract<SecretRead, { readonly is: 'there' }>

/** The value that `field` refers to, read nearly anew; or how the pass ends without it. Throws KubeError. */
export async function readSecret(
  pass: Pass,
  field: string,
  { name, key }: SecretKeyReference,
): Promise<SecretThere | Ended> {
  const { env, object } = pass
  const { namespace } = object.metadata
  const afterMs = env.durations.secretWaitMs
  const found = await env.secrets.read(namespace, name, key, env.durations.pollMs)
  switch (found.is) {
    case 'there':
      return found
    case 'missing': {
      const message = `${field}: Secret ${name} does not exist in namespace ${namespace}; create it, it is looked for again by itself`
      return { verdict: { is: 'working', reason: 'WaitingForDependency', message, usable: 'no' }, afterMs }
    }
    case 'forbidden': {
      const message = `${field}: the operator is not allowed to read Secret ${name} in namespace ${namespace}; give it the right to get Secrets there`
      return { verdict: { is: 'stalled', reason: 'ReferenceInvalid', message }, afterMs }
    }
    case 'withoutKey': {
      const message = `${field}: Secret ${name} has no key ${key}, or it is empty; add it, it is read again by itself`
      return { verdict: { is: 'stalled', reason: 'ReferenceInvalid', message }, afterMs }
    }
  }
}
