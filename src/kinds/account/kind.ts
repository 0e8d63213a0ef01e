/** CloudAccount: verifies the key, publishes the session that objects use, and stays while anything uses it. */
import type { CloudAccount } from '../../api/account.ts'
import { validateSpec } from '../../api/validate.ts'
import { checkEndpoint } from '../../cloud/client.ts'
import { CloudError } from '../../cloud/errors.ts'
import type { PoolRecord } from '../../cloud/records.ts'
import { isKubeError } from '../../kube/errors.ts'
import type { Outcome } from '../../loop/outcome.ts'
import type { Verdict } from '../../reconcile/conditions.ts'
import { working } from '../../reconcile/ending.ts'
import type { Environment } from '../../reconcile/environment.ts'
import { untilLeading } from '../../reconcile/frame.ts'
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
import { findOrphans, tellOrphans, type Orphan } from '../../reconcile/orphans.ts'
import { INDEX } from '../../reconcile/references.ts'
import type { Session } from '../../reconcile/session.ts'
import { resourceType } from '../../reconcile/resource.ts'
import { said } from '../../reconcile/verdicts.ts'
import { sessionFor, settingsOf, type Connection, type Connections } from './act.ts'
import { ACCOUNT_READY, accountReport, problemOf } from './plan.ts'
import { actAccount, keepProfile, PERSONAL_ID } from './profile.ts'
import { readSecret } from './secret.ts'
import { readAccount, type SeenAccount } from './seen.ts'

/** What the pipeline's parts need of a kind; an account makes nothing in the cloud, and changes the profile alone. */
const ACCOUNT = {
  kind: 'CloudAccount',
  type: resourceType('CloudAccount'),
  noun: 'account',
  secrets: ({ spec }: CloudAccount) =>
    spec.profile?.personalIDNumberSecretRef === undefined ? [] : [{ field: PERSONAL_ID }],
  act: actAccount,
} as const

interface Verified {
  readonly seen: SeenAccount
  readonly key: string
  readonly at: number
}

export interface AccountOptions {
  readonly env: Environment
  readonly connections: Connections
  readonly allowedEndpoints: readonly string[]
  /** The kinds whose cloud objects can belong to nobody. */
  readonly kinds: readonly AnyKind[]
  /** Told how many do, of all accounts together. */
  readonly countOrphans: (count: number) => void
}

/** The reconcile function for CloudAccounts. */
export function accountReconciler(options: AccountOptions): (key: string) => Promise<Outcome> {
  const verified = new Map<string, Verified>()
  const orphans = new Map<string, readonly Orphan[]>()
  return async (key) => {
    const { env } = options
    const object = env.stores.CloudAccount.get(key)
    if (object === undefined) {
      env.accounts.withdraw(key)
      options.connections.forget(key)
      verified.delete(key)
      orphans.delete(key)
    }
    if (object === undefined) return {}
    if (!env.leading()) return untilLeading(env)
    const pass = beginPass(env, ACCOUNT as unknown as AnyKind, object)
    const users = usersOf(env, key, object)
    if (object.metadata.deletionTimestamp !== undefined && users.length === 0) {
      await releaseObject(pass)
      return {}
    }
    if (users.length > 0 && object.metadata.deletionTimestamp === undefined) await holdObject(pass)
    const looked = verified.has(key)
    const ended = await verify(pass, options, verified)
    // At the first look nothing was listed yet; and of one namespace alone the others' objects are not known.
    if (looked && pass.session !== undefined && !env.ofOneNamespace) {
      const before = orphans.get(key) ?? []
      const found = await findOrphans(pass, options.kinds, before)
      tellOrphans(pass, found, before)
      orphans.set(key, found)
      patchDraft(pass, { orphans: found.length } as Record<string, unknown>)
      options.countOrphans([...orphans.values()].reduce((sum, each) => sum + each.length, 0))
    }
    return finish(pass, users, ended)
  }
}

/** Objects that use the account and may have something in the cloud; or may begin to, while it is not being deleted. */
function usersOf(env: Environment, key: string, account: CloudResource): readonly CloudResource[] {
  const leaving = account.metadata.deletionTimestamp !== undefined
  const kinds = Object.keys(env.stores) as (keyof typeof env.stores)[]
  return kinds
    .filter((kind) => kind !== 'CloudAccount')
    .flatMap((kind) => env.stores[kind].byIndex(INDEX.account, key))
    .filter((each) => hasFinalizer(each) || isBound(each) || (!leaving && !isLeaving(each)))
}

function isLeaving({ metadata }: CloudResource): boolean {
  return metadata.deletionTimestamp !== undefined
}

function isBound({ metadata, status }: CloudResource): boolean {
  const bound = status?.id !== undefined || status?.operation !== undefined
  return bound && metadata.deletionTimestamp === undefined
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
  const at = known?.seen === seen ? known.at : env.clock.monotonic()
  verified.set(pass.key, { seen, key: apiKey, at })
  patchDraft(pass, accountReport(seen, connection.capabilities, account.status?.capabilities))
  pass.session = publish(pass, account, options, seen, connection)
  return keep(pass, account, verified)
}

/** The account can be used; whatever else it is to keep right follows. */
async function keep(pass: Pass, account: CloudAccount, verified: Map<string, Verified>): Promise<Ended> {
  const { durations } = pass.env
  const afterMs = settingsOf(account, durations.accountScale).syncMs
  const known = verified.get(pass.key)
  const kept = await keepProfile(pass, account, known?.seen.user.profile)
  if (kept.is === 'right') return { verdict: ACCOUNT_READY, afterMs }
  // What is there now is read, not believed, at the next look.
  if (known !== undefined) verified.delete(pass.key)
  if (kept.is === 'not') return { ...kept.ended, afterMs: kept.ended.afterMs ?? afterMs }
  return {
    verdict: working('WaitingForCloud', 'waiting for the cloud to show the changed profile'),
    afterMs: durations.pollMs,
  }
}

function publish(
  pass: Pass,
  account: CloudAccount,
  { connections, env }: AccountOptions,
  seen: SeenAccount,
  connection: Connection,
): Session {
  connections.use(pass.key, connection)
  const session = sessionFor(account, connection, seen, env.durations.accountScale)
  const before = env.accounts.session(account.metadata.namespace, account.metadata.name)
  const { is, session: current } = before.is === 'ready' ? before : { is: 'waiting', session: undefined }
  const made = madeFrom(account, seen)
  const same = is === 'ready' && current?.client === session.client && origins.get(current) === made
  if (same) return current
  origins.set(session, made)
  env.accounts.publish(pass.key, { is: 'ready', session })
  return session
}

/** What a published session was made from: one that would be made from something else takes its place. */
const origins = new WeakMap<Session, string>()

/** In an order that does not follow the lists'. */
function madeFrom({ spec }: CloudAccount, seen: SeenAccount): string {
  const { billingAccount, defaultLocation, defaults, syncIntervalSeconds } = spec
  const { dedicated, loadBalancerOperations, namesakesOfOtherClusters } = spec
  const settings = [
    [billingAccount, defaultLocation, defaults, syncIntervalSeconds],
    [dedicated, loadBalancerOperations, namesakesOfOtherClusters],
  ]
  const pools = [...seen.pools].map(([slug, each]) => JSON.stringify([slug, each.map(poolText).sort()]))
  const locations = seen.locations.map((each) => JSON.stringify(each))
  return JSON.stringify([seen.user.id, locations.sort(), pools.sort(), seen.objectStorage, settings])
}

function poolText({ uuid, name }: PoolRecord): string {
  return JSON.stringify([uuid, name])
}

/** The key, or how the pass ends without one. The session made with the last valid key goes on meanwhile. */
async function readKey(pass: Pass, account: CloudAccount): Promise<string | Ended> {
  const found = await readSecret(pass, 'spec.tokenSecretRef', account.spec.tokenSecretRef)
  if (!('verdict' in found)) return found.value
  waiting(pass, found.verdict.message)
  return found
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
