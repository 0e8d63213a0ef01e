/**
 * Where a walk may end, kind by kind: a closed list. An end that is not here, or that is reached where its condition does not
 * hold, is a fault of the planner. What is attached or assigned to something, machines, and what is done once to them have
 * lists of their own in the files beside this one.
 */
import type { End } from './model.ts'
import type { BucketWords } from './kinds/bucket.ts'
import type { AccessKeyWords, ApiTokenWords } from './kinds/credentials.ts'
import { shownMembers, type NetworkWords } from './kinds/network.ts'
import type { SnapshotWords } from './kinds/snapshot.ts'

export const DELETED = {
  as: 'deleted',
  when: () => true,
  why: 'The cloud object is gone; what it left behind and the finalizer are not a matter of the plan.',
} as const

export const OBSERVED = {
  as: 'observed',
  when: ({ observes }: { readonly observes?: boolean }) => observes === true,
  why: 'The spec says ObserveOnly: the steps are listed as drift, and none is taken.',
} as const

export const DEAF_WHY =
  'The service accepted the same harmless change twice and shows the old state: writing stops until the spec changes.'

export const bucketEnds: readonly End<BucketWords>[] = [
  {
    as: 'done',
    when: ({ cloud, want }) =>
      cloud !== undefined &&
      (want.billingAccount === undefined ||
        cloud.hides.billingAccount === true ||
        cloud.billingAccount === want.billingAccount) &&
      (!cloud.suspended || cloud.hides.suspended === true),
    why: 'It is charged to whom the spec says, as far as is shown.',
  },
  {
    as: 'block',
    reason: 'Suspended',
    when: ({ cloud }) => cloud?.suspended === true && cloud.hides.suspended === undefined,
    why: 'Only the provider or the payer of the account ends a suspension.',
  },
  {
    as: 'wait',
    reason: 'NotEmpty',
    when: ({ cloud }) => cloud !== undefined && cloud.objects > 0,
    why: 'The service deletes only an empty bucket, and its objects are the user’s: it is never emptied by us.',
  },
  { as: 'drifted', when: ({ cloud }) => cloud?.deaf === true, why: DEAF_WHY },
  OBSERVED,
  DELETED,
]

export const networkEnds: readonly End<NetworkWords>[] = [
  {
    as: 'done',
    when: ({ cloud, want }) =>
      cloud !== undefined &&
      (want.name === undefined || cloud.hides.name === true || cloud.name === want.name) &&
      (!want.makeDefault || cloud.isDefault || cloud.hides.isDefault === true),
    why: 'It has its name, and is the default if it is to be, as far as is shown.',
  },
  {
    as: 'block',
    reason: 'DefaultConflict',
    when: ({ want }) => want.makeDefault && want.olderDefault !== undefined,
    why: 'Two objects claim to be the one default network: the older one is, and a person decides.',
  },
  {
    as: 'block',
    reason: 'InvalidSpec',
    when: ({ cloud, want }) => cloud === undefined && want.name === undefined,
    why: 'Without a name the service would answer with the shared default network.',
  },
  {
    as: 'wait',
    reason: 'DefaultConflict',
    when: ({ cloud }) => cloud?.isDefault === true && cloud.hides.isDefault === undefined,
    why: 'The service deletes no default network: another one has to become the default first.',
  },
  {
    as: 'wait',
    reason: 'NotEmpty',
    when: ({ cloud }) => cloud !== undefined && shownMembers(cloud) > 0,
    why: 'The service deletes no network that holds resources: they go first.',
  },
  {
    as: 'refused',
    reason: 'delete',
    when: ({ cloud }) =>
      (cloud?.isDefault === true && cloud.hides.isDefault === true) ||
      (cloud !== undefined && shownMembers(cloud) === 0 && cloud.vmIDs.length + cloud.others > 0),
    why: 'What the service does not show it checks itself: it must refuse to delete a default network or one in use, which harms nothing.',
  },
  { as: 'drifted', when: ({ cloud }) => cloud?.deaf === true, why: DEAF_WHY },
  OBSERVED,
  DELETED,
]

export const snapshotEnds: readonly End<SnapshotWords>[] = [
  {
    as: 'done',
    when: ({ cloud }) => cloud !== undefined,
    why: 'It is there; nothing about a snapshot can be wished or changed.',
  },
  {
    as: 'block',
    reason: 'NotFoundToAdopt',
    when: ({ cloud, want }) => cloud === undefined && !want.create,
    why: 'What is to be taken over is not there, and none is made in its place.',
  },
  OBSERVED,
  DELETED,
]

interface Rotated {
  readonly cloud: { readonly others: readonly string[] } | undefined
  readonly outlived?: readonly string[]
  readonly status: { readonly retiring?: readonly { readonly id: string }[] }
}

/** No old one that is on record and whose time is over is still there. */
function isRotated({ cloud, outlived = [], status }: Rotated, but: readonly string[]): boolean {
  const over = outlived.filter((id) => status.retiring?.some((each) => each.id === id) === true)
  return cloud !== undefined && !over.some((id) => cloud.others.includes(id) && !but.includes(id))
}

export const accessKeyEnds: readonly End<AccessKeyWords>[] = [
  {
    as: 'done',
    when: (end) => isRotated(end, []),
    why: 'The pair is there, and old ones whose time is over are gone.',
  },
  OBSERVED,
  DELETED,
]

export const apiTokenEnds: readonly End<ApiTokenWords>[] = [
  {
    as: 'done',
    when: (end) => {
      const { cloud, want } = end
      return (
        cloud !== undefined &&
        isRotated(end, cloud.used) &&
        (cloud.hides.label === true || cloud.label === want.description) &&
        (want.billingAccount === undefined ||
          cloud.hides.billingAccount === true ||
          cloud.billingAccount === want.billingAccount) &&
        (!want.restricted || cloud.restricted || cloud.hides.restricted === true)
      )
    },
    why: 'Description, account and scope are as wished as far as is shown, and old ones whose time is over are gone, but for the one the operator itself uses.',
  },
  {
    as: 'block',
    reason: 'ReplacementRequired',
    when: ({ cloud, want }) =>
      cloud?.restricted === true && cloud.hides.restricted === undefined && !want.restricted,
    why: 'The service cannot free a token that is restricted.',
  },
  {
    as: 'block',
    reason: 'ReferenceInvalid',
    when: ({ cloud }) => cloud !== undefined && cloud.used.length > 0,
    why: 'The operator itself uses the token as its key: it is neither changed nor deleted.',
  },
  {
    as: 'wait',
    reason: 'WaitingForCloud',
    when: ({ cloud, want }) => want.billingAccount === undefined && cloud?.hides.billingAccount === true,
    why: 'A change would send an account that the spec leaves alone and the service does not show.',
  },
  { as: 'drifted', when: ({ cloud }) => cloud?.deaf === true, why: DEAF_WHY },
  DELETED,
]
