/** Looking for what an open or a coming create may have made. Only reads; lists begun after the call to `look`. */
import type { Operation } from '../api/shared.ts'
import { answerTo, NONE } from './answers.ts'
import { clusterPart, markerIn, type Marker } from './marker.ts'
import type { CloudResource, Known, Seen } from './kind.ts'
import { needed } from './needed.ts'
import { fresh, readContext, sessionOf, wasLost, type Pass } from './pass.ts'
import { retiringOf } from './retiring.ts'
import { byTime, timeMs } from './times.ts'

export interface Looked {
  /** Objects that are certainly this custom resource's, oldest first. */
  readonly ours: readonly Seen[]
  /** Ids of what carries the marker, and may be a copy: nothing is ours then, until a person says so. */
  readonly unsure: readonly string[]
  /** Every row, with the labels that exact reads added. */
  readonly rows: readonly Seen[]
  /** The location of a row. */
  readonly placeOf: (id: string) => string | undefined
}

/** All rows begun to be read after now. Rows whose label the list leaves out are read exactly, once ever when they are old. Throws CloudError. */
export async function look(pass: Pass): Promise<Looked> {
  return isLost(pass) ? lookEverywhere(pass) : lookHere(pass)
}

function isLost(pass: Pass): boolean {
  return wasLost(pass) || standsForLost(pass.draft.operation)
}

/** Where it was made is lost with the status: the spec, or the account's default, may say another place by now. */
async function lookEverywhere(pass: Pass): Promise<Looked> {
  const here = pass.location
  const elsewhere = sessionOf(pass).locations.map(({ slug }) => slug)
  const all: Looked[] = []
  for (const location of new Set([needed(here), ...elsewhere])) {
    pass.location = location
    const looked = await lookHere(pass)
    // From here on it is the object's place.
    if (looked.ours.length > 0) return looked
    all.push(looked)
  }
  pass.location = here
  return {
    ours: [],
    unsure: all.flatMap(({ unsure }) => unsure),
    rows: all.flatMap(({ rows }) => rows),
    placeOf: (id) => all.map(({ placeOf }) => placeOf(id)).find((place) => place !== undefined),
  }
}

async function lookHere(pass: Pass): Promise<Looked> {
  const { kind, location } = pass
  const rows = await kind.reads.rows(readContext(pass, fresh(pass)))
  const labelled: Seen[] = []
  for (const row of rows) labelled.push(await withLabel(pass, row))
  const marker = pass.marker
  const old = new Set(retiringOf(pass.draft).map((each) => each.id))
  const marked = labelled.filter(
    (row) =>
      markerOn(pass, row) === marker &&
      !isOwned(pass, row.id) &&
      !old.has(row.id) &&
      answerTo(pass, row.id) !== NONE,
  )
  marked.sort((a, b) => byTime(a.createdAt, b.createdAt))
  const sure = !isLost(pass) || !mayBeCopy(pass, marked[0])
  const [ours, unsure] = sure ? [marked, []] : [[], marked.map((row) => row.id)]
  const placeOf = (id: string) => (labelled.some((row) => row.id === id) ? location : undefined)
  return { ours, unsure, rows: labelled, placeOf }
}

/** The original is the oldest, as long as it is there. */
function mayBeCopy({ kind, object, marker }: Pass, oldest: Seen | undefined): boolean {
  if (oldest === undefined || markerIn(oldest.name) === marker) return false
  return kind.creation.mayBeCopy?.(object, oldest) === true
}

/**
 * The one of ours that counts: the recorded one, else the oldest. That there are more is told and nothing else: which of them
 * holds what somebody needs cannot be known.
 */
export function oneOfOurs(pass: Pass, { ours }: Looked): Seen | undefined {
  const one = ours.find((row) => row.id === pass.draft.id) ?? ours[0]
  const rest = ours.filter((row) => row.id !== one?.id).map((row) => row.id)
  if (one === undefined || rest.length === 0) return one
  const { noun } = pass.kind
  const message = `the cloud has more than one ${noun} with the marker of this object: ${one.id} is used, and ${rest.join(', ')} left alone; look at them, and delete in the console what nobody needs`
  pass.env.log.warn({ kind: pass.kind.kind, key: pass.key, used: one.id, rest }, 'duplicates found')
  pass.env.announce(pass.object, 'Warning', 'DuplicatesFound', message)
  return one
}

/** The marker of a row: the one of this cluster in its name, where there is one; its label may then be a copy. */
export function markerOn(pass: Pass, row: Seen): Marker | undefined {
  return ofThisCluster(pass, row.name) ? markerIn(row.name) : markerIn(row.label)
}

async function withLabel(pass: Pass, row: Seen): Promise<Seen> {
  if (row.label !== undefined || row.showsLabel === false) return row
  const { unlabelled } = sessionOf(pass).memory
  const subject = `${pass.kind.kind}/${row.id}`
  if (unlabelled.has(subject) || isOwned(pass, row.id)) return row
  if (!pass.kind.reads.hasExact(sessionOf(pass))) return row
  const exact = await pass.kind.reads.exact(readContext(pass, fresh(pass)), row.id)
  if (exact !== undefined && exact.label === undefined && isOld(pass, exact)) unlabelled.add(subject)
  return exact ?? row
}

/** The service's clock, and the zone of its times, may not be ours. */
const CLOCKS_DIFFER_MS = 86_400_000

/** What was made a moment ago may show its label later. */
function isOld(pass: Pass, { createdAt }: Seen): boolean {
  const madeMs = timeMs(createdAt)
  return madeMs === undefined || pass.env.clock.now() - madeMs > CLOCKS_DIFFER_MS
}

/** Whether another object of ours has it: it took it over, or made it with a label that is a copy. */
export function isOwned(pass: Pass, id: string): boolean {
  return holdersOf(pass, id).length > 0
}

/** Other objects of the same kind and service that have it on record. */
export function holdersOf(pass: Pass, id: string): readonly CloudResource[] {
  const { env, kind, object } = pass
  return env.references.holdersOf(kind.kind, id, object, sessionOf(pass).endpoint)
}

/** Rows that an unclear create may have made: not there before, nobody's, equal in every field that was sent. */
export function candidates(
  pass: Pass,
  operation: Operation,
  rows: readonly Seen[],
  want: unknown,
): readonly Seen[] {
  const old = new Set(retiringOf(pass.draft).map((each) => each.id))
  const marker = pass.marker
  const { endpoint } = sessionOf(pass)
  const known: Known = {
    object: pass.object,
    holderOf: (kind, id) => pass.env.references.holdersOf(kind, id, pass.object, endpoint)[0],
  }
  return rows.filter((row) => {
    if (!cameAfter(operation, row) || old.has(row.id) || isOwned(pass, row.id)) return false
    if (row.label !== undefined && row.showsLabel === true) return markerIn(row.label) === marker
    return pass.kind.creation.candidate(want, row, operation, known)
  })
}

/** Whether a row was not there when an unmarked create began, as far as its id and the service's own times tell. */
export function cameAfter(operation: Operation, row: Pick<Seen, 'id' | 'createdAt'>): boolean {
  if (operation.baseline?.includes(row.id) === true) return false
  const newestMs = timeMs(operation.baselineNewest)
  const madeMs = timeMs(row.createdAt)
  // Of the time just before the newest every id was noted: what is not among them came later, whatever its time says.
  return newestMs === undefined || madeMs === undefined || madeMs >= newestMs - BASELINE_WINDOW_MS
}

/** Detail of a create that stands for what a lost status may have known of. */
export const LOST = 'lost'

export function standsForLost(operation: Operation | undefined): boolean {
  return operation?.details?.[LOST] !== undefined
}

/** Nothing of the cloud object tells whose it is once the status is lost. */
export function asksOnceLost(pass: Pass): boolean {
  const { creation } = pass.kind
  return creation.labelGoes?.(pass.object) === true || creation.identity(sessionOf(pass)) === 'baseline'
}

/** Whether the result of an open create carries no marker, and is told by what was there before. */
export function isBare(pass: Pass, operation: Operation): boolean {
  if (standsForLost(operation)) return asksOnceLost(pass)
  return pass.kind.creation.identity(sessionOf(pass)) === 'baseline'
}

const BASELINE_WINDOW_MS = 600_000

/**
 * What exists before a create whose result carries no name of ours: the newest creation time, and the ids within ten
 * minutes of it. Older ones are told apart by their time. Rows without a time are noted whatever their age.
 */
export function baselineOf(rows: readonly Seen[]): Pick<Operation, 'baseline' | 'baselineNewest'> {
  const times = rows.flatMap(({ createdAt }) => (timeMs(createdAt) === undefined ? [] : [createdAt]))
  const newest = times.sort(byTime).at(-1)
  const newestMs = timeMs(newest)
  const recent = rows.filter((row) => {
    const madeMs = timeMs(row.createdAt)
    return newestMs === undefined || madeMs === undefined || madeMs >= newestMs - BASELINE_WINDOW_MS
  })
  return { baseline: recent.map((row) => row.id), ...(newest !== undefined && { baselineNewest: newest }) }
}

/** Whether a marker was made by this cluster. */
export function ofThisCluster(pass: Pass, label: string | undefined): boolean {
  return markerIn(label)?.startsWith(clusterPart(pass.env.clusterID)) ?? false
}

/** One look whether an operation that was answered with an error happened all the same. */
export async function happened(pass: Pass, operation: Operation, want: unknown): Promise<boolean> {
  const id = pass.draft.id
  if (operation.verb !== 'create') {
    if (id === undefined) return false
    const seen = await pass.kind.reads.exact(readContext(pass, fresh(pass)), id)
    return operation.verb === 'delete'
      ? seen === undefined
      : seen !== undefined && pass.kind.effect(operation, seen)
  }
  if (pass.kind.creation.identity(sessionOf(pass)) === 'name') {
    const name = pass.kind.creation.idFor?.(pass.object) ?? ''
    return (await pass.kind.reads.exact(readContext(pass, fresh(pass)), name)) !== undefined
  }
  const found = await look(pass)
  if (found.ours.length > 0) return true
  return isBare(pass, operation) && candidates(pass, operation, found.rows, want).length > 0
}
