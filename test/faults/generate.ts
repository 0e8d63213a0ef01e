/** From an undisturbed run to plans: each of its calls by each trouble that can matter there. */
import { isChange } from './endpoints.ts'
import type { History } from './history.ts'
import type { AnswerTrouble, Leaders, Moment, Perturbation, Plan, Trouble } from './plan.ts'
import { fold, seedFor, type Random } from './random.ts'
import { scenarioOf } from './scenarios/all.ts'
import { SETTLE_MS } from './durations.ts'
import { peopleFor } from './meddling.ts'

/** A plan and the row of the table that it counts in. */
export interface Case {
  readonly group: string
  readonly plan: Plan
}

/** These come often and alike: the first ones of each label stand for all. */
const MOST: Partial<Readonly<Record<CallKind, number>>> = { read: 3, kubeRead: 3, event: 3, lease: 12 }

/** What of an undisturbed run tells its cases. */
export type Reference = Pick<History, 'plan' | 'labels'>

/** Every single perturbation of the run. */
export function singlesOf(reference: Reference): readonly Case[] {
  const { plan } = reference
  return Object.entries(reference.labels).flatMap(([label, count]) => {
    const { port, call } = parse(label)
    const kind = kindOf(port, call)
    const times = Math.min(count, MOST[kind] ?? count)
    return Array.from({ length: times }, (_, index) => ({ port, call, nth: index + 1 })).flatMap((at) =>
      troublesAt(kind, at, plan.leaders ?? 'one', plan.scenario).map(([group, perturbation]) =>
        caseOf(plan, group, [perturbation]),
      ),
    )
  })
}

/** `count` pairs of singles of the same run, drawn by seed. */
export function pairsOf(singles: readonly Case[], count: number, random: Random): readonly Case[] {
  return Array.from({ length: singles.length === 0 ? 0 : count }, () => {
    const [first, second] = [random.pick(singles), random.pick(singles)]
    return caseOf(first.plan, 'pairs', [...first.plan.perturbations, ...second.plan.perturbations])
  })
}

function caseOf(plan: Plan, group: string, perturbations: readonly Perturbation[]): Case {
  const seed = seedFor(plan.seed, JSON.stringify(perturbations)) % 1_000_000
  return { group, plan: { ...plan, seed, perturbations } }
}

/** A name for a plan that does not depend on where it stands in a list. */
export function nameOf(plan: Plan): string {
  return `${plan.scenario}-${fold(0x811c9dc5, JSON.stringify(plan)).toString(16)}`
}

function parse(label: string): Pick<Moment, 'port' | 'call'> {
  const space = label.indexOf(' ')
  return { port: label.slice(0, space) === 'cloud' ? 'cloud' : 'kube', call: label.slice(space + 1) }
}

type CallKind = 'change' | 'read' | 'write' | 'kubeRead' | 'event' | 'lease'

function kindOf(port: Moment['port'], call: string): CallKind {
  if (port === 'cloud') return isChange(call) ? 'change' : 'read'
  if (/ leases/.test(call)) return 'lease'
  if (/ events$/.test(call)) return 'event'
  return /^(?:get|list|watch) /.test(call) ? 'kubeRead' : 'write'
}

type Grouped = readonly [group: string, perturbation: Perturbation]

function troublesAt(kind: CallKind, at: Moment, leaders: Leaders, scenario: string): readonly Grouped[] {
  const all = leaders === 'two' ? twoLeaders(kind) : oneLeader(kind, at.call, scenario)
  return all.map(([group, trouble, times]) => [
    group,
    { at: times === undefined ? at : { ...at, times }, do: trouble },
  ])
}

type Wish = readonly [group: string, trouble: Trouble, times?: number]

const answer = (
  group: string,
  wrong: AnswerTrouble,
  effect: 'never' | 'done' | number,
  times?: number,
): Wish => {
  const trouble: Trouble = {
    answer: wrong,
    effect: typeof effect === 'number' ? { afterMs: effect } : effect,
  }
  return times === undefined ? [group, trouble] : [group, trouble, times]
}
const status = (code: number, retryAfterSeconds?: number): AnswerTrouble =>
  retryAfterSeconds === undefined ? { status: code } : { status: code, retryAfterSeconds }

const KILLS: readonly Wish[] = (['before', 'arrived', 'committed', 'answered'] as const).map((kill) => [
  'kill',
  { kill },
])

const CLOUD_ANSWERS: readonly Wish[] = [
  answer('cloud answer', 'notSent', 'never'),
  ...(['reset', 'hang', status(500), status(400), status(409)] as const).flatMap((wrong) => [
    answer('cloud answer', wrong, 'never'),
    answer('cloud answer', wrong, 'done'),
  ]),
  answer('cloud answer', status(503), 'never'),
  answer('cloud answer', status(404), 'never'),
  answer('cloud answer', status(429, 5), 'never'),
  answer('cloud answer', status(401), 'never'),
  answer('cloud answer', status(403), 'never'),
  answer('cloud answer', 'redirect', 'never'),
  answer('cloud answer', 'truncated', 'done'),
  answer('cloud answer', 'wrongShape', 'done'),
  answer('cloud answer', 'html', 'done'),
]

const LATE: readonly Wish[] = [
  answer('late effect', 'reset', 1_000),
  answer('late effect', 'reset', 30_000),
  answer('late effect', status(500), 30_000),
  answer('late effect', 'hang', 30_000),
  answer('late effect', 'reset', 2 * SETTLE_MS),
]

const READ_ANSWERS: readonly Wish[] = [
  ...(['reset', 'truncated', 'wrongShape', 'html', status(500)] as const).map((wrong) =>
    answer('read answer', wrong, 'never', 3),
  ),
  ...(['hang', status(404), status(401), status(403), status(429, 5), status(503)] as const).map((wrong) =>
    answer('read answer', wrong, 'never'),
  ),
]

const READS_AWRY: readonly Wish[] = [
  ['read', { read: { lagMs: 5_000, everything: true } }],
  ['read', { read: { lagMs: 30_000, everything: true } }],
  ['read', { read: { lagMs: 30_000, everything: false } }],
  ['read', { read: 'shuffle' }],
  ['read', { read: 'repeat' }],
  ['read', { read: 'omitLast' }],
  ['read', { read: 'omitLast' }, 4],
]

const LAG_AFTER: readonly Wish[] = [
  ['read', { read: { lagMs: 5_000, everything: true } }],
  ['read', { read: { lagMs: 30_000, everything: true } }],
]

const KUBE_ANSWERS: readonly Wish[] = [
  answer('kube answer', 'notSent', 'never'),
  answer('kube answer', status(409), 'never'),
  answer('kube answer', status(429, 2), 'never'),
  ...(['reset', 'hang', status(500)] as const).flatMap((wrong) => [
    answer('kube answer', wrong, 'never'),
    answer('kube answer', wrong, 'done'),
  ]),
  answer('kube answer', 'reset', 5_000),
]

const WATCHES: readonly Wish[] = [
  ['watch', { watch: 'dead' }],
  ['watch', { watch: 'ended' }],
  ['watch', { watch: 'gone' }],
  ['watch', { watch: { delayMs: 30_000 } }],
]

const TIME: readonly Wish[] = [
  ['clock', { clockStepMs: 300_000 }],
  ['clock', { clockStepMs: -300_000 }],
  ['pause', { pauseMs: 30_000 }],
  ['pause', { pauseMs: 120_000, suspended: true }],
]

const ETCD: readonly Wish[] = [
  ['etcd', { restoreEtcd: { agoMs: 50 } }],
  ['etcd', { restoreEtcd: { agoMs: 2_000 } }],
  ['etcd', { restoreEtcd: { agoMs: 8_000 } }],
]

function oneLeader(kind: CallKind, call: string, scenario: string): readonly Wish[] {
  const people = peopleFor(scenarioOf(scenario)).map((person): Wish => ['people', { person }])
  switch (kind) {
    case 'change':
      return [
        ...KILLS,
        ...CLOUD_ANSWERS.filter((wish) => !isNonsense(call, wish)),
        ...LATE,
        ...LAG_AFTER,
        ...people,
        ...WATCHES,
        ...TIME,
        ...ETCD,
      ]
    case 'read':
      return [...READ_ANSWERS, ...READS_AWRY]
    case 'write':
      return [...KILLS, ...KUBE_ANSWERS, ...people, ...WATCHES, ...ETCD]
    case 'kubeRead':
      return [
        answer('kube read', status(500), 'never'),
        answer('kube read', 'hang', 'never'),
        answer('kube read', 'reset', 'never', 3),
      ]
    case 'event':
      return [...KILLS, answer('kube answer', status(500), 'never')]
    case 'lease':
      return []
  }
}

/** A 409 to a bucket's create says that the name is taken: then it was not created. */
function isNonsense(call: string, [, trouble]: Wish): boolean {
  return (
    call === 'PUT /storage/bucket' &&
    'answer' in trouble &&
    trouble.effect === 'done' &&
    is409(trouble.answer)
  )
}

function is409(wrong: AnswerTrouble): boolean {
  return typeof wrong === 'object' && wrong.status === 409
}

/** Who leads, and until when: only that is of interest with two. */
function twoLeaders(kind: CallKind): readonly Wish[] {
  const kills = KILLS.map(([, trouble]): Wish => ['leaders', trouble])
  const pauses = [5_000, 20_000, 45_000].flatMap((pauseMs): readonly Wish[] => [
    ['leaders', { pauseMs }],
    ['leaders', { pauseMs, suspended: true }],
  ])
  if (kind === 'change' || kind === 'write') return [...kills, ...pauses]
  if (kind !== 'lease') return []
  const answers = KUBE_ANSWERS.map(([, trouble, times]): Wish => ['leaders', trouble, times ?? 3])
  return [...kills, ...answers, ...pauses]
}
