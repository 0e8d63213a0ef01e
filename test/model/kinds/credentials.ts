/** Key pairs and tokens: what both have in common is that old ones go after their time, and nobody else's ever. */
import type { AccessKeyStatus, CloudAccessKey } from '../../../src/api/accesskey.ts'
import type { ApiTokenStatus, CloudAPIToken } from '../../../src/api/apitoken.ts'
import { accessKeyKind } from '../../../src/kinds/accesskey/kind.ts'
import type { AccessKeyStep, WantedAccessKey } from '../../../src/kinds/accesskey/plan.ts'
import type { SeenAccessKey } from '../../../src/kinds/accesskey/seen.ts'
import { apiTokenKind } from '../../../src/kinds/apitoken/kind.ts'
import type { ApiTokenStep, WantedApiToken } from '../../../src/kinds/apitoken/plan.ts'
import type { SeenApiToken } from '../../../src/kinds/apitoken/seen.ts'
import type { Fate, Model, Rule, State, Words } from '../model.ts'
import { FIELD, isEqual, isHidden, product } from '../product.ts'
import type { Operation } from '../../../src/api/shared.ts'

/** The list it is in. */
interface Among {
  /** Ids of all others of the account: old ones of ours, and a stranger's. */
  readonly others: readonly string[]
}

export interface AccessKeyWords {
  object: CloudAccessKey
  want: WantedAccessKey
  cloud: Among
  seen: SeenAccessKey
  step: AccessKeyStep
  status: AccessKeyStatus
}

export interface Token extends Among {
  readonly label: string
  readonly billingAccount: number
  readonly restricted: boolean
  /** Those the operator itself uses. */
  readonly used: readonly string[]
  readonly hides: { readonly label?: true; readonly billingAccount?: true; readonly restricted?: true }
  readonly deaf?: true
}

export interface ApiTokenWords {
  object: CloudAPIToken
  want: WantedApiToken
  cloud: Token
  seen: SeenApiToken
  step: ApiTokenStep
  status: ApiTokenStatus
}

export const OWN = 'own'
const STRANGER = 'stranger'

/** Which of two old ones are there, are on record, and have had their time; and an open call to delete the first. */
const ROTATION = {
  there: [[], ['old-1'], ['old-2'], ['old-1', 'old-2']],
  recorded: [[], ['old-1'], ['old-1', 'old-2']],
  over: [[], ['old-1'], ['old-2'], ['old-1', 'old-2']],
  fate: [undefined, 'arrives', 'lost', 'overdue'],
} as const

interface Rotated {
  readonly recorded: readonly string[]
  readonly over: readonly string[]
  readonly fate: Fate | undefined
}

function rotated({ recorded, over, fate }: Rotated) {
  const operation: Operation = {
    id: 'operation',
    verb: 'retire',
    issuedAt: '2026-01-01T00:00:00Z',
    details: { old: 'old-1' },
  }
  return {
    status: {
      ...(recorded.length > 0 && { retiring: recorded.map((id) => ({ id })) }),
      ...(fate !== undefined && { operation }),
    },
    outlived: over.filter((id) => recorded.includes(id)),
    ...(fate !== undefined && { fate }),
  }
}

function without(cloud: Among, id: string): readonly string[] {
  return cloud.others.filter((each) => each !== id)
}

function retireOf({ verb, details }: Operation) {
  return verb === 'retire' ? { do: 'retire' as const, id: details?.['old'] ?? '' } : undefined
}

/** What both may do to old ones. */
function retireRules<
  W extends Words & { cloud: Among; status: AccessKeyStatus | ApiTokenStatus },
>(): readonly Rule<W>[] {
  return [
    {
      says: 'an old one is deleted only if it is on record as ours and still there',
      of: ['retire'],
      kept: ({ cloud, status }, step) =>
        'id' in step &&
        status.retiring?.some((each) => each.id === step.id) === true &&
        cloud?.others.includes(String(step.id)) === true,
    },
    {
      says: 'nothing is deleted while an old one is left that only this object tells of',
      of: ['delete'],
      kept: ({ cloud, status }) =>
        status.retiring?.some((each) => cloud?.others.includes(each.id) === true) !== true,
    },
  ]
}

function* keyStates(): Generator<State<AccessKeyWords>> {
  const want = { secretName: 's3' }
  for (const each of product({ ...ROTATION, exists: [true, false], observes: [false, true] } as const)) {
    if (each.fate !== undefined && !each.recorded.some((id) => id === 'old-1')) continue
    const cloud = each.exists ? { others: [...each.there, STRANGER] } : undefined
    yield { want, cloud, ...rotated(each), observes: each.observes }
  }
}

export const accessKeyModel: Omit<Model<AccessKeyWords>, 'ends'> = {
  kind: 'CloudAccessKey',
  planner: accessKeyKind,
  states: keyStates,
  object: () => ({ spec: {} }) as CloudAccessKey,
  look: ({ others }) => ({ id: OWN, showsLabel: false, others }),
  serve: ({ cloud }, step) => {
    if (step.do === 'create') return { is: 'done', cloud: { others: [STRANGER] } }
    if (step.do === 'delete' || cloud === undefined) return { is: 'done', cloud: undefined }
    return { is: 'done', cloud: { others: without(cloud, step.id) } }
  },
  elapse: (cloud) => cloud,
  made: (want) => want,
  stepOf: retireOf,
  names: () => [],
  rules: [
    ...retireRules<AccessKeyWords>(),
    { says: 'a key pair is made only where there is none', of: ['create'], kept: ({ cloud }) => !cloud },
  ],
  most: 5,
}

const DESCRIPTION = 'ci k8s-marker'

function* tokenStates(): Generator<State<ApiTokenWords>> {
  const wishes = { scope: ['one', 'some', 'all'] } as const
  const wantOf = (scope: 'one' | 'some' | 'all'): WantedApiToken => ({
    description: DESCRIPTION,
    tiedTo: scope === 'all' ? 0 : 7,
    billingAccount: scope === 'all' ? 0 : scope === 'one' ? 7 : undefined,
    restricted: scope !== 'all',
    secretName: 'ci',
  })
  for (const each of product({ ...wishes, ...ROTATION })) {
    yield { want: wantOf(each.scope), cloud: undefined, ...rotated({ ...each, fate: undefined }) }
  }
  // All of its fields with one old one, and all of a rotation with few of its fields.
  const fields = {
    label: FIELD.slice(1),
    account: ['equal', 'differs', 'hiddenDiffers'],
    restricted: [true, false],
    hidesRestricted: [false, true],
    deaf: [false, true],
  } as const
  const one = { there: [['old-1']], recorded: [['old-1']], over: [[], ['old-1']], fate: [undefined] } as const
  const few = {
    label: ['equal', 'differs'],
    account: ['equal', 'hiddenDiffers'],
    restricted: [true],
    hidesRestricted: [false],
    deaf: [false],
  } as const
  const shared = { ...wishes, used: [[], [OWN], ['old-1'], [STRANGER]] } as const
  const all = [product({ ...shared, ...fields, ...one }), product({ ...shared, ...few, ...ROTATION })]
  for (const each of all.flatMap((some) => [...some])) {
    if (each.fate !== undefined && !each.recorded.some((id) => id === 'old-1')) continue
    const want = wantOf(each.scope)
    yield {
      want,
      cloud: {
        others: [...each.there, STRANGER],
        label: isEqual(each.label) ? DESCRIPTION : 'other',
        billingAccount: each.account === 'equal' ? want.tiedTo : 8,
        restricted: each.restricted,
        used: each.used,
        hides: {
          ...(isHidden(each.label) && { label: true }),
          ...(each.account === 'hiddenDiffers' && { billingAccount: true }),
          ...(each.hidesRestricted && { restricted: true }),
        },
        ...(each.deaf && { deaf: true }),
      },
      ...rotated(each),
    }
  }
}

function lookAtToken({ others, label, billingAccount, restricted, used, hides }: Token): SeenApiToken {
  return {
    id: OWN,
    showsLabel: hides.label !== true,
    others,
    inUseHere: used,
    ...(hides.label !== true && { label }),
    ...(hides.billingAccount !== true && { billingAccount }),
    ...(hides.restricted !== true && { restricted }),
  }
}

export const apiTokenModel: Omit<Model<ApiTokenWords>, 'ends'> = {
  kind: 'CloudAPIToken',
  planner: apiTokenKind,
  states: tokenStates,
  object: () => ({ spec: {} }) as CloudAPIToken,
  look: lookAtToken,
  serve: ({ cloud }, step) => {
    if (step.do === 'create') {
      const { description: label, billingAccount, restricted } = step.token
      return {
        is: 'done',
        cloud: { others: [STRANGER], label, billingAccount, restricted, used: [], hides: {} },
      }
    }
    if (step.do === 'delete' || cloud === undefined) return { is: 'done', cloud: undefined }
    if (step.do === 'retire') return { is: 'done', cloud: { ...cloud, others: without(cloud, step.id) } }
    if (cloud.deaf === true) return { is: 'done', cloud }
    const { description: label, billingAccount, restricted } = step.token
    // Restricted once, restricted for good.
    return {
      is: 'done',
      cloud: { ...cloud, label, billingAccount, restricted: cloud.restricted || restricted },
    }
  },
  elapse: (cloud) => cloud,
  made: (want) => want,
  stepOf: retireOf,
  names: () => [],
  rules: [
    ...retireRules<ApiTokenWords>(),
    { says: 'a token is made only where there is none', of: ['create'], kept: ({ cloud }) => !cloud },
    {
      says: 'a token is changed only where another description, account or scope is shown',
      of: ['update'],
      kept: ({ cloud }, step) =>
        cloud !== undefined &&
        step.do === 'update' &&
        ((cloud.hides.label === undefined && cloud.label !== step.token.description) ||
          (cloud.hides.billingAccount === undefined && cloud.billingAccount !== step.token.billingAccount) ||
          (cloud.hides.restricted === undefined && !cloud.restricted && step.token.restricted)),
    },
    {
      says: 'a billing account that the spec leaves alone is sent as it is: left out it would become none',
      of: ['update'],
      kept: ({ cloud, want }, step) =>
        step.do === 'update' &&
        (want.billingAccount !== undefined || step.token.billingAccount === cloud?.billingAccount),
    },
    {
      says: 'the key that the operator itself uses is never deleted',
      of: ['retire', 'delete'],
      kept: ({ cloud }, step) => cloud?.used.includes(step.do === 'retire' ? step.id : OWN) === false,
    },
    {
      says: 'the key that the operator itself uses is never changed',
      of: ['update'],
      kept: ({ cloud }) => cloud?.used.includes(OWN) === false,
    },
  ],
  most: 6,
}
