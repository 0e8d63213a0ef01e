/** Stories of keys and tokens, which the operator delivers in Secrets. */
import type { Scenario } from '../steps.ts'
import { annotate, apply, settle, wait } from './words.ts'

const rotation = { graceSeconds: 5 }
const keys = { kind: 'CloudAccessKey', name: 'keys', spec: { secretName: 's3', rotation } }
const token = { kind: 'CloudAPIToken', name: 'ci', spec: { secretName: 'ci-token', rotation } }
const rotate = (object: typeof keys) => annotate(object, { 'cloud-operator.dev/rotate': 'now' })
const rotated = (object: typeof keys) => [apply(object), settle, rotate(object), settle, wait(30), settle]
const ROTATED = { duplicate: 'the new one is made before the old one goes' }

export const secretScenarios: readonly Scenario[] = [
  { name: 'keys', timeline: rotated(keys), excused: ROTATED },
  { name: 'token', timeline: rotated(token), excused: ROTATED },
  {
    name: 'foreign-secret',
    timeline: [
      { do: 'secret', name: 's3', data: { AWS_ACCESS_KEY_ID: 'of-somebody-else' } },
      apply(keys),
      settle,
    ],
    ends: [
      {
        kind: 'CloudAccessKey',
        reason: 'NameTaken',
        because: 'the name is taken for good, and only a person can decide',
      },
    ],
  },
]
