/** CloudAccount: verifies the key, publishes the session that objects use, and stays while anything uses it. */
import type { CloudAccount } from '../../api/account.ts'
import { validateSpec } from '../../api/validate.ts'
import { checkEndpoint } from '../../cloud/client.ts'
import { CloudError } from '../../cloud/errors.ts'
import type { PoolRecord } from '../../cloud/records.ts'
import { isKubeError } from '../../kube/errors.ts'
import type { Outcome } from '../../loop/outcome.ts'
import type { Verdict } from '../../reconcile/conditions.ts'
import type { Environment } from '../../reconcile/environment.ts'
import type { CloudResource } from '../../reconcile/kind.ts'
import {
  beginPass,
  hasFinalizer,
  holdObject,
  isAsked,
  judge,
  patchDraft,
  releaseObject,
  requestToken,
  writeStatus,
  type AnyKind,
  type Ended,
  type Pass,
} from '../../reconcile/pass.ts'
import { INDEX } from '../../reconcile/references.ts'
import type { Session } from '../../reconcile/session.ts'
import { resourceType } from '../../reconcile/resource.ts'
import { said } from '../../reconcile/verdicts.ts'
import { sessionFor, settingsOf, type Connections } from './act.ts'
import { ACCOUNT_READY, accountReport, problemOf } from './plan.ts'
import { readAccount, type SeenAccount } from './seen.ts'

/** What the pipeline's passes need of a kind; an account makes nothing in the cloud. */
const ACCOUNT = { kind: 'CloudAccount', type: resourceType('CloudAccount'), noun: 'account' } as const

interface Verified {
  readonly seen: SeenAccount
  readonly key: string
  readonly at: number
}

export interface AccountOptions {
  readonly env: Environment
  readonly connections: Connections
  readonly allowedEndpoints: readonly string[]
}

/** The reconcile function for CloudAccounts. */
export function accountReconciler(options: AccountOptions): (key: string) => Promise<Outcome> {
  const verified = new Map<string, Verified>()
  return async (key) => {
    const { env } = options
    const object = env.stores.CloudAccount.get(key)
    if (object === undefined) {
      env.accounts.withdraw(key)
      verified.delete(key)
    }
    if (object === undefined || !env.leading()) return {}
    const pass = beginPass(env, ACCOUNT as unknown as AnyKind, object)
    const users = usersOf(env, key)
    if (object.metadata.deletionTimestamp !== undefined && users.length === 0) {
      await releaseObject(pass)
      return {}
    }
    if (users.length > 0 && object.metadata.deletionTimestamp === undefined) await holdObject(pass)
    const ended = await verify(pass, options, verified)
    return finish(pass, users, ended)
  }
}

/** Objects that use the account and may have something in the cloud, or may still begin to. */
function usersOf(env: Environment, key: string): readonly CloudResource[] {
  const kinds = Object.keys(env.stores) as (keyof typeof env.stores)[]
  return kinds
    .filter((kind) => kind !== 'CloudAccount')
    .flatMap((kind) => env.stores[kind].byIndex(INDEX.account, key))
    .filter((each) => each.metadata.deletionTimestamp === undefined || hasFinalizer(each))
}

async function verify(pass: Pass, options: AccountOptions, verified: Map<string, Verified>): Promise<Ended> {
  const { env } = options
  const account = pass.object as unknown as CloudAccount
  const spec = validateSpec('CloudAccount', account.spec)
  if (!spec.ok)
    return unusable(pass, { is: 'stalled', reason: 'InvalidSpec', message: `${spec.field}: ${spec.message}` })
  const endpoint = checkEndpoint(account.spec.endpoint, options.allowedEndpoints)
  if (!endpoint.ok)
    return unusable(pass, {
      is: 'stalled',
      reason: 'InvalidSpec',
      message: `spec.endpoint: ${endpoint.message}`,
    })
  const apiKey = await readKey(pass, account)
  if (typeof apiKey !== 'string') return apiKey
  const known = verified.get(pass.key)
  const asked = isAsked(pass)
  const recent = known !== undefined && env.clock.monotonic() - known.at < env.durations.accountMs
  const published = env.accounts.session(account.metadata.namespace, account.metadata.name).is === 'ready'
  const connection = options.connections.open(account, endpoint.endpoint, apiKey)
  const seen =
    recent && known.key === apiKey && published && !asked
      ? known.seen
      : await ask(pass, () => readAccount(connection.client))
  if ('verdict' in seen) return seen
  const problem = problemOf(account, seen)
  if (problem !== undefined) return unusable(pass, problem)
  verified.set(pass.key, { seen, key: apiKey, at: known?.seen === seen ? known.at : env.clock.monotonic() })
  patchDraft(pass, accountReport(seen, connection.capabilities, account.status?.capabilities))
  publish(pass, account, options, seen, connection)
  return { verdict: ACCOUNT_READY, afterMs: settingsOf(account, env.durations.accountScale).syncMs }
}

function publish(
  pass: Pass,
  account: CloudAccount,
  { env }: AccountOptions,
  seen: SeenAccount,
  connection: ReturnType<Connections['open']>,
): void {
  const session = sessionFor(account, connection, seen, env.durations.accountScale)
  const before = env.accounts.session(account.metadata.namespace, account.metadata.name)
  const { is, session: current } = before.is === 'ready' ? before : { is: 'waiting', session: undefined }
  const made = madeFrom(account, seen)
  const same = is === 'ready' && current?.client === session.client && origins.get(current) === made
  if (same) return
  origins.set(session, made)
  env.accounts.publish(pass.key, { is: 'ready', session })
}

/** What a published session was made from: one that would be made from something else takes its place. */
const origins = new WeakMap<Session, string>()

/** In an order that does not follow the lists'. */
function madeFrom({ spec }: CloudAccount, seen: SeenAccount): string {
  const { billingAccount, defaultLocation, defaults, syncIntervalSeconds, loadBalancerOperations } = spec
  const settings = { billingAccount, defaultLocation, defaults, syncIntervalSeconds, loadBalancerOperations }
  const pools = [...seen.pools].map(([slug, each]) => JSON.stringify([slug, each.map(poolText).sort()]))
  const locations = seen.locations.map((each) => JSON.stringify(each))
  return JSON.stringify([seen.user.id, locations.sort(), pools.sort(), seen.objectStorage, settings])
}

function poolText({ uuid, name }: PoolRecord): string {
  return JSON.stringify([uuid, name])
}

/** The key, or how the pass ends without one. The session made with the last valid key goes on meanwhile. */
async function readKey(pass: Pass, account: CloudAccount): Promise<string | Ended> {
  const { env } = pass
  const { name, key } = account.spec.tokenSecretRef
  const found = await env.secrets.read(account.metadata.namespace, name, key, env.durations.pollMs)
  const afterMs = env.durations.secretWaitMs
  switch (found.is) {
    case 'there':
      return found.value
    case 'missing': {
      const message = `spec.tokenSecretRef: Secret ${name} does not exist in namespace ${account.metadata.namespace}; create it, it is looked for again by itself`
      waiting(pass, message)
      return { verdict: { is: 'working', reason: 'WaitingForDependency', message, usable: 'no' }, afterMs }
    }
    case 'forbidden': {
      const message = `spec.tokenSecretRef: the operator is not allowed to read Secret ${name} in namespace ${account.metadata.namespace}; give it the right to get Secrets there`
      waiting(pass, message)
      return { verdict: { is: 'stalled', reason: 'ReferenceInvalid', message }, afterMs }
    }
    case 'withoutKey': {
      const message = `spec.tokenSecretRef: Secret ${name} has no key ${key}, or it is empty; add it, it is read again by itself`
      waiting(pass, message)
      return { verdict: { is: 'stalled', reason: 'ReferenceInvalid', message }, afterMs }
    }
  }
}

/** Says why there is no session, unless one made with the last valid key is still there. */
function waiting(pass: Pass, message: string): void {
  const { namespace, name } = pass.object.metadata
  if (pass.env.accounts.session(namespace, name).is === 'ready') return
  pass.env.accounts.publish(pass.key, { is: 'waiting', message: `CloudAccount ${name}: ${message}` })
}

function unusable(pass: Pass, verdict: Extract<Verdict, { is: 'stalled' }>): Ended {
  const { name } = pass.object.metadata
  pass.env.accounts.publish(pass.key, { is: 'waiting', message: `CloudAccount ${name}: ${verdict.message}` })
  return { verdict, afterMs: pass.env.durations.secretWaitMs }
}

async function ask(pass: Pass, read: () => Promise<SeenAccount>): Promise<SeenAccount | Ended> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    if (error.class === 'denied') {
      const message = `spec.tokenSecretRef: the service does not accept the key: ${said(error)}; put a valid one into the Secret`
      return unusable(pass, { is: 'stalled', reason: 'CredentialsInvalid', message })
    }
    const message = `the service at ${(pass.object as unknown as CloudAccount).spec.endpoint} could not be read: ${said(error)}; it is asked again by itself`
    waiting(pass, message)
    const reason = error.class === 'slowDown' ? 'RateLimited' : 'CloudUnreachable'
    return {
      verdict: { is: 'unread', reason, message },
      afterMs: error.retryAfterMs ?? pass.env.durations.pollMs * 5,
    }
  }
}

async function finish(
  pass: Pass,
  users: readonly CloudResource[],
  { verdict, afterMs }: Ended,
): Promise<Outcome> {
  const deleting = pass.object.metadata.deletionTimestamp !== undefined
  judge(pass, deleting ? held(users) : verdict)
  const token = requestToken(pass.object)
  if (token !== undefined && verdict.is !== 'unread') patchDraft(pass, { lastHandledReconcileAt: token })
  try {
    await writeStatus(pass)
  } catch (error) {
    if (isKubeError(error, 'conflict', 'notFound'))
      return { afterMs: pass.env.durations.pollMs / 10, priority: 'retry' }
    throw error
  }
  return { afterMs: afterMs ?? pass.env.durations.secretWaitMs, priority: 'resync' }
}

const SHOWN = 5

function held(users: readonly CloudResource[]): Verdict {
  const names = users.map((each) => `${each.kind} ${each.metadata.name}`).sort()
  const others = names.length > SHOWN ? ' and others' : ''
  const message = `still used by ${names.slice(0, SHOWN).join(', ')}${others}; it goes once they are gone`
  return { is: 'working', reason: 'WaitingForDependents', message, usable: 'unknown' }
}
