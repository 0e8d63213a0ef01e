/** The profile of the person behind the key: read, compared, and changed where a field that is given differs. */
import type { AccountSpec, CloudAccount } from '../../api/account.ts'
import type { ProfileRecord } from '../../cloud/records.ts'
import { updateProfile, type ProfileChange } from '../../cloud/user.ts'
import type { Verdict } from '../../reconcile/conditions.ts'
import { ended, type Performed } from '../../reconcile/ending.ts'
import { mayNotBegin } from '../../reconcile/gate.ts'
import type { CallContext, SecretState, Seen } from '../../reconcile/kind.ts'
import { needed } from '../../reconcile/needed.ts'
import { isPaused, type Ended, type Pass } from '../../reconcile/pass.ts'
import type { StepFacts } from '../../reconcile/plan.ts'
import { StepWaits } from '../../reconcile/refused.ts'
import { send } from '../../reconcile/send.ts'
import { readSecret } from './secret.ts'

export const PERSONAL_ID = 'spec.profile.personalIDNumberSecretRef'

/** Fields with the names people know them by. */
const WORDS = {
  firstName: 'first name',
  lastName: 'last name',
  phoneNumber: 'telephone number',
  personalIDNumber: 'personal id number',
} as const
type Field = keyof typeof WORDS

/** The fields that differ. What the service does not show is unknown, and never different. */
export function differing(
  profile: NonNullable<AccountSpec['profile']>,
  shown: ProfileRecord | undefined,
  personalIDNumber: string | undefined,
): readonly Field[] {
  const texts = (['firstName', 'lastName', 'phoneNumber'] as const).filter((field) => {
    const [wanted, has] = [profile[field], shown?.[field]]
    return wanted !== undefined && has !== undefined && wanted !== has
  })
  const other = personalIDNumber !== undefined && shown?.hasPersonalIDNumber?.(personalIDNumber) === false
  return other ? [...texts, 'personalIDNumber'] : texts
}

/** Carries no value: it is part of what is remembered of an attempt. */
export interface ProfileStep {
  readonly do: 'setProfile'
  readonly fields: readonly Field[]
}

export interface SeenProfile extends Seen {
  readonly profile: ProfileRecord | undefined
}

/** The one change of an account. */
export async function actAccount(
  { secretValue, send: how, session }: CallContext<unknown>,
  { fields }: ProfileStep,
  { profile }: { readonly profile: NonNullable<AccountSpec['profile']> },
  seen: SeenProfile | undefined,
): Promise<SeenProfile> {
  const change: ProfileChange = Object.fromEntries(
    fields.map((field) => {
      const value = field === 'personalIDNumber' ? secretValue(PERSONAL_ID) : profile[field]
      if (value === undefined) throw new StepWaits(`${PERSONAL_ID}: the Secret is not there yet`)
      return [field, value]
    }),
  )
  const shown = await updateProfile(session.client, change, how)
  return { ...needed(seen), profile: shown }
}

const PAUSED: Verdict = {
  is: 'paused',
  message: 'paused by the annotation: the profile differs, and is not changed until it is removed',
  applied: false,
}

export type KeptProfile =
  | { readonly is: 'right' }
  /** Written; `profile` is what the service answered. */
  | { readonly is: 'written'; readonly profile: ProfileRecord | undefined }
  | { readonly is: 'not'; readonly ended: Ended }

/** Writes what differs, once. The account goes on being used whatever comes of it. */
export async function keepProfile(
  pass: Pass,
  account: CloudAccount,
  shown: ProfileRecord | undefined,
): Promise<KeptProfile> {
  const { profile } = account.spec
  if (profile === undefined || account.metadata.deletionTimestamp !== undefined) return { is: 'right' }
  const secret = await personalIDNumber(pass, account)
  if ('verdict' in secret) return { is: 'not', ended: secret }
  if (secret.value !== undefined) pass.secrets.set(PERSONAL_ID, secret.value)
  const fields = differing(profile, shown, secret.value)
  if (fields.length === 0) return { is: 'right' }
  if (isPaused(pass.object)) return { is: 'not', ended: { verdict: PAUSED } }
  const step: ProfileStep = { do: 'setProfile', fields }
  // A profile is in no location.
  pass.location ??= ''
  const performed = await write(pass, step, { profile, secret: secret.state }, shown)
  if (performed.is === 'ended') return { is: 'not', ended: performed.ended }
  return { is: 'written', profile: (performed.seen as SeenProfile).profile }
}

async function write(
  pass: Pass,
  step: ProfileStep,
  want: unknown,
  profile: ProfileRecord | undefined,
): Promise<Performed> {
  const words = step.fields.map((field) => WORDS[field]).join(', ')
  const facts: StepFacts = { nature: 'set', words: `change the ${words} in the profile` }
  const stopped = mayNotBegin(pass, step, facts, want)
  if (stopped !== undefined) return stopped
  const before: SeenProfile = { id: pass.key, profile }
  const sent = await send(pass, step, facts, want, before, pass.env.clock.randomHex(8))
  return sent.is === 'accepted' ? ended({ is: 'stalled', reason: 'InternalError', message: words }) : sent
}

interface Number {
  readonly value?: string
  readonly state?: SecretState
}

async function personalIDNumber(pass: Pass, { spec }: CloudAccount): Promise<Number | Ended> {
  const reference = spec.profile?.personalIDNumberSecretRef
  if (reference === undefined) return {}
  const found = await readSecret(pass, PERSONAL_ID, reference)
  if ('verdict' in found) return found
  return { value: found.value, state: { uid: found.uid, version: found.version } }
}
