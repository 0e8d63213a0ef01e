/**
 * What several kinds share: references, lifecycle controls, conditions and the common status.
 * Bounds exist on every string and list: CEL's cost and etcd's size depend on them.
 * Status has no enum, pattern or CEL: a strict status could make an id unstorable.
 */
import { z } from 'zod'
import { list, mapList } from './schema.ts'

/** A name in the same namespace; no namespace field exists. */
export const dnsName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/)

export const reference = z.object({
  name: dnsName.describe('Name of the object, in the same namespace. Example: web-1'),
})
export type Reference = z.infer<typeof reference>

export const secretKeyReference = z.object({
  name: dnsName.describe('Name of the Secret, in the same namespace. Example: cloud-token'),
  key: z
    .string()
    .min(1)
    .max(253)
    .regex(/^[-._a-zA-Z0-9]+$/)
    .describe('Key within the Secret. Example: apikey'),
})
export const configMapKeyReference = z.object({
  name: dnsName.describe('Name of the ConfigMap, in the same namespace. Example: web-cloud-init'),
  key: secretKeyReference.shape.key.describe('Key within the ConfigMap. Example: user-data'),
})
export type SecretKeyReference = z.infer<typeof secretKeyReference>

/** Opaque cloud ids travel in request paths and forms: no slash, no dots in a row, no white space. */
export const cloudID = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_:-]*(\.[A-Za-z0-9_:-]+)*$/)

export const locationSlug = z
  .string()
  .min(1)
  .max(32)
  .regex(/^[a-z0-9][a-z0-9-]*$/)

export const billingAccountNumber = z.int().min(1).max(9007199254740991)

/** Every string in status is clipped to its bound before it is written. */
export const STATUS_BOUNDS = { message: 4096, id: 256, text: 512, list: 256, details: 32 } as const

const text = z.string().max(STATUS_BOUNDS.text)
export const statusID = z.string().max(STATUS_BOUNDS.id)

export const condition = z.object({
  type: z
    .string()
    .max(64)
    .describe(
      'Ready, Synced, Reconciling, Stalled, UpdatePending, Drifted or Paused; all but the first two are present only while True',
    ),
  status: z.string().max(16).describe('True, False or Unknown'),
  reason: z.string().max(64).describe('One word of a closed set, each documented with what to do'),
  message: z
    .string()
    .max(STATUS_BOUNDS.message)
    .describe('What the matter is and what to do about it, in words'),
  lastTransitionTime: z.string().max(64).describe('When status last changed, RFC 3339'),
  observedGeneration: z.int().describe('Generation of the spec this condition speaks of'),
})
export type Condition = z.infer<typeof condition>

/**
 * The one open cloud mutation of an object, written before it is sent and cleared with its result.
 * `verb` is the step's name (create, delete, attach …); `details` are what resolving needs, as flat text.
 */
export const operation = z.object({
  id: statusID.describe(
    'Identifies this mutation in the cloud request header and in annotations that answer it',
  ),
  verb: z.string().max(64).describe('What was sent: create, delete, attach, …'),
  issuedAt: z.string().max(64).describe('When the intent was written; the request follows within seconds'),
  location: z.string().max(64).exactOptional().describe('Location the request names'),
  baseline: list(statusID, STATUS_BOUNDS.list)
    .exactOptional()
    .describe('Ids that existed before a create whose result carries no name of ours'),
  companions: z
    .array(statusID)
    .max(STATUS_BOUNDS.list)
    .exactOptional()
    .describe('Ids of nameless addresses that existed before a create that reserves one'),
  baselineNewest: z
    .string()
    .max(64)
    .exactOptional()
    .describe('Newest creation time listed before the create'),
  details: z
    .record(z.string().max(64), z.string().max(STATUS_BOUNDS.text))
    .meta({ maxProperties: STATUS_BOUNDS.details })
    .exactOptional()
    .describe('What finding out about the result needs to know, as text by name'),
  candidates: list(statusID, STATUS_BOUNDS.list)
    .exactOptional()
    .describe('Ids that may be the result; a person looks at them in the console'),
})
export type Operation = z.infer<typeof operation>

export const pendingPlan = z.object({
  id: statusID.describe('Approve with the annotation cloud-operator.dev/approve: <id>'),
  steps: list(text, 64).describe('The steps in order, in words'),
  disruptive: z.boolean().describe('Whether a step stops a virtual machine'),
})
export type PendingPlan = z.infer<typeof pendingPlan>

/** Status fields of every kind but CloudAccount's own. */
export const commonStatusShape = {
  observedGeneration: z
    .int()
    .exactOptional()
    .describe('Generation of the spec this status speaks of; -1 until first looked at'),
  uid: z
    .string()
    .max(64)
    .exactOptional()
    .describe('UID of the object this status was written for; another one: it is a copy, and owns nothing'),
  id: statusID
    .exactOptional()
    .describe('Identity of the cloud object (bucket: its name; floating IP: its numeric id)'),
  location: z.string().max(64).exactOptional().describe('Location the cloud object is in'),
  billingAccount: z.int().exactOptional().describe('Billing account the cloud object is charged to'),
  account: z
    .object({
      endpoint: text.describe('Address of the service'),
      userID: z.int().describe('Number of the user the key belongs to'),
      name: text.exactOptional().describe('CloudAccount in this namespace, where the spec does not name one'),
    })
    .exactOptional()
    .describe('Cloud identity this object belongs to; no call goes out under another one'),
  conditions: mapList(condition, 16, 'type')
    .exactOptional()
    .describe(
      'Ready: usable now. Synced: the cloud equals the spec. The others are present only while true.',
    ),
  operation: operation
    .exactOptional()
    .describe('The one open change in the cloud: stored before it is sent, cleared with its result'),
  plan: pendingPlan
    .exactOptional()
    .describe('What waits for an approval or a circumstance; absent when nothing does'),
  appliedGeneration: z
    .int()
    .exactOptional()
    .describe('Latest generation that was applied in full once; a later difference was made in the cloud'),
  approvedPlan: statusID
    .exactOptional()
    .describe('Plan id taken from the approve annotation and not used up yet'),
  answered: list(text, 16)
    .exactOptional()
    .describe(
      'Answers taken from the annotations resolve and recreate, kept because they may be taken away again',
    ),
  lastHandledReconcileAt: text
    .exactOptional()
    .describe('Value of the annotation cloud-operator.dev/reconcile-requested-at that was last acted upon'),
} as const
export const commonStatus = z.object(commonStatusShape)
export type CommonStatus = z.infer<typeof commonStatus>

export const adopt = z.object({
  id: cloudID.describe(
    'Cloud id to take over instead of creating one: uuid, address (floating IP) or name (bucket). Required. Example: 6b3f0a52-8c1d-4f0e-9a77-2f6d5a1c9e10',
  ),
  takeover: z
    .boolean()
    .exactOptional()
    .describe('true: take the object although it carries the marker of another owner. Default: false.'),
})

export const management = z.enum(['Full', 'ObserveOnly'])
export const drift = z.enum(['Correct', 'Report'])
export const protection = z.enum(['None', 'Deletion'])
export const onDelete = z.enum(['Delete', 'Retain'])
export const disruption = z.enum(['Allow', 'RequireApproval'])

export const lifecycleShape = {
  management: management
    .exactOptional()
    .describe(
      'Full: create, change and delete. ObserveOnly: no cloud write ever; deleting the object only releases it. Default: Full. Mutable.',
    ),
  drift: drift
    .exactOptional()
    .describe(
      'Correct: changes made in the cloud are put back. Report: they are only shown (condition Drifted). Default: Correct. Mutable.',
    ),
  protection: protection
    .exactOptional()
    .describe('Deletion: a DELETE of this object is refused until set to None. Default: None. Mutable.'),
  onDelete: onDelete
    .exactOptional()
    .describe(
      "What happens to the cloud object when this one is deleted: Delete or Retain. Default: the account's, else Delete; with adopt: Retain. Mutable.",
    ),
} as const
/** Of kinds that cannot be changed once they are made. */
export const keepShape = { onDelete: lifecycleShape.onDelete } as const
export const lifecycle = z.object(lifecycleShape)
export type Lifecycle = z.infer<typeof lifecycle>

export const accountRef = reference.describe(
  'CloudAccount to use, in the same namespace. Frozen once a cloud object may exist. Default: the one named default.',
)
export const displayName = z
  .string()
  .min(1)
  .max(200)
  .describe('Display name in the cloud. Mutable. Default: metadata.name. Example: web-1')

export const location = locationSlug.describe(
  "Location (data centre) the cloud object is made in. Frozen once a cloud object may exist. Default: the account's defaultLocation, else the service's own default, recorded in status. Example: jkt01",
)

/** A VM's or a load balancer's public address, made with it and deleted with it. */
export const publicIP = z.enum(['None', 'Reserve'])
export const reservedIP = z.object({
  id: statusID.describe('Number of the floating IP'),
  address: text.describe('IPv4 address'),
})

export const image = z.object({
  os: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[A-Za-z0-9][A-Za-z0-9.+-]*$/)
    .describe('Name of the operating system. Required. Example: ubuntu'),
  version: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/)
    .describe('Version of the operating system. Required. Example: 24.04-lts'),
})
export type Image = z.infer<typeof image>

export const sizeGiB = z.int().min(1).max(1_048_576)

/** Spec fields of every kind that stands for one cloud object. */
export const objectSpecShape = {
  accountRef: accountRef.exactOptional(),
  location: location.exactOptional(),
  adopt: adopt
    .exactOptional()
    .describe(
      'Take over an existing cloud object instead of creating one. Fields that matter only to creating may then be absent and are not compared. Frozen once a cloud object may exist. Default: absent, one is created.',
    ),
} as const

export const mutableBillingAccount = billingAccountNumber.describe(
  "Number of the billing account that is charged. Mutable where the service can change it. Default: the account's at creation, kept in status. Example: 1234",
)
export const lifecycleDescription =
  'What the operator may do to the cloud object, and what happens on deletion. Mutable. Default: every part its own.'

/** The VM that a snapshot or an operation belongs to, in status. */
export const vmOfStatus = z.object({
  name: text.exactOptional().describe('CloudVM in this namespace'),
  id: statusID.describe('Identity of the VM in the cloud'),
})

export const secretName = dnsName

export const rotation = z
  .object({
    graceSeconds: z
      .int()
      .min(0)
      .max(2_592_000)
      .exactOptional()
      .describe(
        'Seconds the old one stays valid after the Secret holds the new one. Default: 3600. Mutable. Example: 86400',
      ),
  })
  .describe(
    'What the annotation cloud-operator.dev/rotate does: a new one is made, the Secret is switched to it, and the old one is removed after graceSeconds. Mutable. Default: an hour.',
  )

/** Status of what is delivered into a Secret and can be rotated. */
export const credentialStatusShape = {
  secretName: text.exactOptional().describe('Secret that holds it'),
  retiring: list(
    z.object({
      id: statusID.describe('Identity of the old one'),
      since: z
        .string()
        .max(64)
        .exactOptional()
        .describe('When the Secret was switched to the new one, RFC 3339; absent: not yet'),
    }),
    16,
  )
    .exactOptional()
    .describe('Old ones that are still valid; each is removed after rotation.graceSeconds'),
  lastHandledRotateAt: text
    .exactOptional()
    .describe('Value of the annotation cloud-operator.dev/rotate that was last acted upon'),
} as const
