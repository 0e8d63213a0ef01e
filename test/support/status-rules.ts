/**
 * What every status ever written must keep: the condition table's own rules and those of tools that read conditions
 * (kstatus, Flux). Independent of the operator's code on purpose.
 */
interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly observedGeneration: number
}

export interface StatusBearer {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly generation: number }
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] }
}

const PRESENT_ONLY_WHILE_TRUE = [
  'Reconciling',
  'Stalled',
  'UpdatePending',
  'Drifted',
  'Paused',
  'Complete',
  'Failed',
  'OutcomeUnknown',
]
const KNOWN = ['Ready', 'Synced', ...PRESENT_ONLY_WHILE_TRUE]

/** Sentences for every rule that this status breaks. */
export function brokenRules(object: StatusBearer): string[] {
  const conditions = object.status?.conditions
  const generation = object.status?.observedGeneration ?? -1
  if (conditions === undefined) return generation === -1 ? [] : ['observedGeneration without conditions']
  const of = (type: string) => conditions.find((each) => each.type === type)
  const [ready, synced] = [of('Ready'), of('Synced')]
  const reconciling = of('Reconciling') !== undefined
  const stalled = of('Stalled') !== undefined
  const rules: readonly (readonly [boolean, string])[] = [
    [ready === undefined, 'Ready is missing'],
    [synced === undefined, 'Synced is missing'],
    [reconciling && stalled, 'Reconciling beside Stalled'],
    [ready?.status === 'True' && (reconciling || stalled), 'Ready=True beside Reconciling or Stalled'],
    [ready?.status === 'Unknown' && !reconciling, 'Ready=Unknown without Reconciling'],
    [stalled && ready?.status !== 'False', 'Stalled without Ready=False'],
    [reconciling && synced?.status !== 'False', 'Reconciling with Synced other than False'],
    [new Set(conditions.map((each) => each.type)).size !== conditions.length, 'a condition type twice'],
    [generation > object.metadata.generation, 'observedGeneration above the generation'],
    [conditions.some((each) => !KNOWN.includes(each.type)), 'an unknown condition type'],
    [
      conditions.some((each) => each.observedGeneration !== generation),
      "a condition's generation differs from the root's",
    ],
    [
      conditions.some((each) => PRESENT_ONLY_WHILE_TRUE.includes(each.type) && each.status !== 'True'),
      'a condition that is present only while true is not true',
    ],
    [conditions.some((each) => !/^[A-Z][A-Za-z]+$/.test(each.reason)), 'a reason is not one word'],
    [conditions.some((each) => each.message === ''), 'an empty message'],
    [of('Complete') !== undefined && ready?.status !== 'True', 'Complete without Ready=True'],
    [
      ['Failed', 'OutcomeUnknown'].some((type) => of(type) !== undefined) && !stalled,
      'Failed without Stalled',
    ],
  ]
  return rules.filter(([broken]) => broken).map(([, sentence]) => sentence)
}
