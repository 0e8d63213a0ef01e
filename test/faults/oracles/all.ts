/** Every oracle by its name: pure functions from a history to what is broken in it. */
import type { History, Violation } from '../history.ts'
import { scenarioOf } from '../scenarios/all.ts'
import { counts } from './counts.ts'
import { crd } from './crd.ts'
import { data } from './data.ts'
import { duplicate } from './duplicate.ts'
import { isExcused } from './excuses.ts'
import { foreign } from './foreign.ts'
import { fresh } from './fresh.ts'
import { intent, once } from './once.ts'
import { leader, overlaps, preconditions } from './order.ts'
import { leak, owned } from './owned.ts'
import { power } from './power.ts'
import { aged, delivered, guarded, held, resent, taken } from './protocol.ts'
import { converges, quiet } from './rest.ts'
import { secret } from './secret.ts'
import { told } from './told.ts'
import { truth } from './truth.ts'
import { wished } from './wished.ts'
import { bugs, spec, statuses } from './writes.ts'

export const ORACLES = {
  duplicate,
  owned,
  leak,
  foreign,
  data,
  crd,
  fresh,
  spec,
  statuses,
  bugs,
  once,
  intent,
  preconditions,
  overlaps,
  leader,
  secret,
  converges,
  quiet,
  truth,
  counts,
  power,
  wished,
  guarded,
  taken,
  held,
  aged,
  resent,
  delivered,
  told,
} as const satisfies Readonly<Record<string, (history: History) => string[]>>

/** What is broken, excused cases aside. */
export function judge(history: History): readonly Violation[] {
  const { excused = {}, unseen = {} } = scenarioOf(history.plan.scenario)
  const lags = history.plan.perturbations.some((each) => 'read' in each.do)
  return Object.entries(ORACLES)
    .filter(
      ([oracle]) => !(oracle in excused) && !(lags && oracle in unseen) && !isExcused(oracle, history.plan),
    )
    .flatMap(([oracle, look]) => [...new Set(look(history))].map((what) => ({ oracle, what })))
}
