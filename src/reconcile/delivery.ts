/**
 * Values of the service, delivered into a Secret of the object's own. A Secret that exists and is not the object's is never
 * written; the values go nowhere else.
 */
import { API_VERSION } from '../api/group.ts'
import { isKubeError } from '../kube/errors.ts'
import type { OwnerReference, Secret } from '../kube/object.ts'
import type { Verdict } from './conditions.ts'
import { working } from './ending.ts'
import { fresh, patchDraft, readContext, sessionOf, type Ended, type Pass } from './pass.ts'
import { startGrace } from './rotation.ts'

type Owner = 'nobody' | 'us' | 'other' | 'leaving'

/** Why nothing may be made, looked at before anything is: the name of the Secret is somebody else's. */
export async function mayDeliver(pass: Pass): Promise<Ended | undefined> {
  const { delivery } = pass.kind
  if (delivery === undefined) return undefined
  const secret = await existing(pass)
  return secret === 'forbidden' ? forbidden(pass) : refusal(pass, ownerOf(pass, secret))
}

/** Brings the Secret up to what the service shows for `id`. Undefined: it is; `afterMs`: the next old one is to go then. */
export async function deliver(pass: Pass, ended: Ended, id: string): Promise<Ended> {
  const { delivery } = pass.kind
  if (delivery === undefined || !pass.env.leading()) return ended
  const secret = await existing(pass)
  if (secret === 'forbidden') return forbidden(pass)
  const refused = refusal(pass, ownerOf(pass, secret))
  if (refused !== undefined) return refused
  const { syncMs } = sessionOf(pass)
  const freshness = secret === undefined ? fresh(pass) : { maxAgeMs: syncMs * LIST_SHARE }
  const contents = await delivery.contents(readContext(pass, freshness), id, pass.object)
  if (contents === undefined) {
    const message = `waiting for the cloud to show the ${pass.kind.noun} for Secret ${nameOf(pass)}`
    return { verdict: working('WaitingForCloud', message), afterMs: pass.env.durations.pollMs * 3 }
  }
  for (const key of delivery.hidden) pass.env.log.hide(contents[key] ?? '')
  const written = sameText(secret, contents) ? undefined : await write(pass, secret, contents)
  if (written !== undefined) return written
  patchDraft(pass, { secretName: nameOf(pass) } as Record<string, unknown>)
  const nextMs = startGrace(pass)
  const afterMs = nextMs === undefined ? undefined : Math.min(nextMs, ended.afterMs ?? syncMs)
  return { verdict: ended.verdict, ...(afterMs !== undefined && { afterMs }) }
}

/** As of shared lists: rows are good enough for this share of the sync interval. */
const LIST_SHARE = 0.8

/** What is kept in the cloud is kept in the cluster: the Secret no longer goes with its object. */
export async function letSecretStay(pass: Pass): Promise<void> {
  if (pass.kind.delivery === undefined) return
  const secret = await existing(pass)
  if (secret === 'forbidden' || secret === undefined || ownerOf(pass, secret) !== 'us') return
  const { ownerReferences = [], ...metadata } = secret.metadata
  const others = ownerReferences.filter((each) => each.uid !== pass.object.metadata.uid)
  await pass.env.kube.writeSecret({ metadata: { ...metadata, ownerReferences: others }, data: secret.data })
}

async function existing(pass: Pass): Promise<Secret | undefined | 'forbidden'> {
  try {
    return await pass.env.kube.getSecret(pass.object.metadata.namespace, nameOf(pass))
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return 'forbidden'
    throw error
  }
}

function nameOf(pass: Pass): string {
  return pass.kind.delivery?.secretName(pass.object) ?? ''
}

function ownerOf(pass: Pass, secret: Secret | undefined): Owner {
  if (secret === undefined) return 'nobody'
  const { uid } = pass.object.metadata
  if (secret.metadata.ownerReferences?.some((each) => each.uid === uid) !== true) return 'other'
  return secret.metadata.deletionTimestamp === undefined ? 'us' : 'leaving'
}

function refusal(pass: Pass, owner: Owner): Ended | undefined {
  const afterMs = pass.env.durations.secretWaitMs
  switch (owner) {
    case 'nobody':
    case 'us':
      return undefined
    case 'leaving': {
      const message = `spec.secretName: Secret ${nameOf(pass)} is being deleted; it is made again once it is gone`
      return { verdict: working('WaitingForDependency', message), afterMs }
    }
    case 'other': {
      const message = `spec.secretName: Secret ${nameOf(pass)} exists and was not made by this object; it is not overwritten: delete it, or make a new ${pass.kind.kind} that names another Secret`
      return { verdict: { is: 'stalled', reason: 'NameTaken', message }, afterMs }
    }
  }
}

function forbidden(pass: Pass): Ended {
  const message = `spec.secretName: the operator is not allowed to read and write Secret ${nameOf(pass)} in namespace ${pass.object.metadata.namespace}; give it the rights to get, create and update Secrets there`
  const verdict: Verdict = { is: 'stalled', reason: 'ReferenceInvalid', message }
  return { verdict, afterMs: pass.env.durations.secretWaitMs }
}

function sameText(secret: Secret | undefined, contents: Readonly<Record<string, string>>): boolean {
  if (secret === undefined) return false
  const keys = Object.keys(contents)
  return (
    keys.length === Object.keys(secret.data).length && keys.every((key) => secret.data[key] === contents[key])
  )
}

async function write(
  pass: Pass,
  secret: Secret | undefined,
  contents: Readonly<Record<string, string>>,
): Promise<Ended | undefined> {
  const { env, object, kind } = pass
  const { namespace } = object.metadata
  const metadata =
    secret === undefined
      ? { name: nameOf(pass), namespace, labels: LABELS, ownerReferences: [ownReference(pass)] }
      : { ...secret.metadata, ownerReferences: secret.metadata.ownerReferences ?? [] }
  try {
    await env.kube.writeSecret({ metadata, data: contents })
  } catch (error) {
    if (isKubeError(error, 'conflict')) {
      const message = `Secret ${nameOf(pass)} was changed meanwhile; it is looked at again`
      return { verdict: working('Updating', message), afterMs: env.durations.pollMs }
    }
    if (isKubeError(error, 'forbidden')) return forbidden(pass)
    if (!isKubeError(error, 'invalid')) throw error
    const message = `spec.secretName: the API server does not take Secret ${nameOf(pass)}: ${error.message}`
    return {
      verdict: { is: 'stalled', reason: 'ReferenceInvalid', message },
      afterMs: env.durations.secretWaitMs,
    }
  }
  env.log.info({ kind: kind.kind, key: pass.key, secret: nameOf(pass) }, 'wrote the Secret')
  return undefined
}

const LABELS = { 'app.kubernetes.io/managed-by': 'cloud-operator' } as const

function ownReference({ object, kind }: Pass): OwnerReference {
  const { name, uid } = object.metadata
  return { apiVersion: API_VERSION, kind: kind.kind, name, uid, controller: true }
}
