/** Error bodies: one shape per family as deployed; the documented profile has the stated one for everything. */
import type { Profile } from '../state/model.ts'
import type { Refusal } from '../state/refusal.ts'
import type { Rules } from '../state/rules.ts'
import type { Reply } from './route.ts'

export type Family =
  'vm' | 'user' | 'token' | 'location' | 'disk' | 'bucket' | 'network' | 'floatingIp' | 'loadBalancer'

const fieldErrors: readonly Family[] = ['vm', 'user', 'token', 'location']

/** The reply of a refusal, with the status and text a test may have set for it. */
export function refusalReply(refusal: Refusal, family: Family, profile: Profile, rules: Rules): Reply {
  const chosen = refusal.named === undefined ? undefined : rules.refusals[refusal.named]
  const text = chosen?.text ?? refusal.message
  const status = chosen?.status ?? refusal.status
  const whole = refusal.field === undefined ? text : `${refusal.field}: ${text}`
  if (profile === 'documented') return { status, body: { errors: { Error: whole } } }
  if (!fieldErrors.includes(family)) return { status, body: { message: whole } }
  return {
    status,
    body: { errors: refusal.field === undefined ? { Error: text } : { [refusal.field]: text } },
  }
}

/** An answer of the gateway, with the error body of the profile. */
export function gatewayReply(name: keyof typeof gateway, profile: Profile): Reply {
  const { status, body } = gateway[name]
  return profile === 'documented' ? { status, body: { errors: { Error: body.message } } } : { status, body }
}

/** Answers of the gateway in front of the service, as deployed. */
const gateway = {
  noRoute: { status: 404, body: { message: 'no route and no API found with those values' } },
  wrongMethod: { status: 405, body: { message: 'Method not allowed' } },
  noKey: { status: 401, body: { message: 'No API key found in request' } },
  wrongKey: { status: 403, body: { message: 'Invalid authentication credentials' } },
  tooLarge: { status: 413, body: { message: 'Request size limit exceeded' } },
} as const satisfies Record<string, Reply>
