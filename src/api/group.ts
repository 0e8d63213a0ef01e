/**
 * What users write and read: the kinds as zod schemas, their names, conditions and reasons.
 * Nothing here knows the cloud's HTTP API or how to talk to an API server.
 */
export const GROUP = 'cloud-operator.dev'
export const VERSION = 'v1alpha1'
export const API_VERSION = `${GROUP}/${VERSION}` as const

/** On every object before anything is created for it; released last. */
export const FINALIZER = `${GROUP}/cloud-resource`

/** In its place on an operation that has ended: should the status be lost, it still says that everything was done. */
export const DONE_FINALIZER = `${GROUP}/done`

/** Annotations a person or a tool sets; the operator writes none. */
export const ANNOTATIONS = {
  paused: `${GROUP}/paused`,
  reconcileRequestedAt: `${GROUP}/reconcile-requested-at`,
  fluxRequestedAt: 'reconcile.fluxcd.io/requestedAt',
  approve: `${GROUP}/approve`,
  resolve: `${GROUP}/resolve`,
  recreate: `${GROUP}/recreate`,
  rotate: `${GROUP}/rotate`,
  /** On our CRDs only: admission lets them be deleted. */
  allowDeletion: `${GROUP}/allow-deletion`,
} as const

export const KINDS = [
  'CloudAccount',
  'CloudVM',
  'CloudDisk',
  'CloudBucket',
  'CloudNetwork',
  'CloudFloatingIP',
  'CloudLoadBalancer',
  'CloudAccessKey',
  'CloudAPIToken',
  'CloudSnapshot',
  'CloudVMOperation',
] as const
export type Kind = (typeof KINDS)[number]

export const CONDITION_TYPES = [
  'Ready',
  'Synced',
  'Reconciling',
  'Stalled',
  'UpdatePending',
  'Drifted',
  'Paused',
  'Complete',
  'Failed',
  'OutcomeUnknown',
] as const
export type ConditionType = (typeof CONDITION_TYPES)[number]

/** Work goes on by itself. */
export const WAIT_REASONS = [
  'Creating',
  'Updating',
  'Deleting',
  'WaitingForDependency',
  'WaitingForDependents',
  'WaitingForCloud',
  'CreateOutcomeUnknown',
  'RateLimited',
  'AccountUnavailable',
  'CloudUnreachable',
] as const
export const GOOD_REASONS = ['Available', 'InSync', 'Stopped', 'Observed', 'Complete'] as const
/** A person or a circumstance decides. */
export const DECIDE_REASONS = [
  'ApprovalRequired',
  'StartRequired',
  'AttachRequired',
  'ReplacementRequired',
  'DeletionProtected',
  'DriftDetected',
  'ExternallyDeleted',
  'NotEmpty',
  'Paused',
] as const
/** A person must change something. */
export const FIX_REASONS = [
  'InvalidSpec',
  'ReferenceInvalid',
  'CredentialsInvalid',
  'PermissionDenied',
  'QuotaExceeded',
  'NameTaken',
  'AdoptionConflict',
  'NotFoundToAdopt',
  'IdentityMismatch',
  'DefaultConflict',
  'Unsupported',
  'Suspended',
  'Expired',
  'OutcomeUnknown',
] as const
/** Ours: the service or the operator misbehaves. */
export const OUR_REASONS = ['CloudError', 'InternalError'] as const

export type WaitReason = (typeof WAIT_REASONS)[number]
export type GoodReason = (typeof GOOD_REASONS)[number]
export type DecideReason = (typeof DECIDE_REASONS)[number]
export type FixReason = (typeof FIX_REASONS)[number]
export type OurReason = (typeof OUR_REASONS)[number]
export type Reason = WaitReason | GoodReason | DecideReason | FixReason | OurReason
