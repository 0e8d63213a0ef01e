/** Decides what to do with a snapshot: it is taken, and deleted; nothing about it ever changes. Pure. */
import { DONE, blocked, steps, type Plan, type StepFacts } from '../../reconcile/plan.ts'
import type { SeenSnapshot } from './seen.ts'

export interface WantedSnapshot {
  readonly vm: { readonly name: string; readonly id: string }
  /** The disk the machine boots from; undefined: its object does not show it. */
  readonly diskID: string | undefined
  /** False: it is taken over. */
  readonly create: boolean
}

export type SnapshotStep =
  | {
      readonly do: 'create'
      readonly vmID: string
      readonly vmName: string
      readonly diskID: string | undefined
    }
  | { readonly do: 'delete' }

export function planSnapshot(want: WantedSnapshot, seen: SeenSnapshot | undefined): Plan<SnapshotStep> {
  if (seen !== undefined) return DONE
  if (!want.create) return blocked('NotFoundToAdopt', 'spec.adopt.id: there is no such snapshot')
  const { vm, diskID } = want
  return steps({ do: 'create', vmID: vm.id, vmName: vm.name, diskID })
}

/** Whether the machine runs does not matter. */
export function planSnapshotGone(): Plan<SnapshotStep> {
  return steps({ do: 'delete' })
}

/** Either call names the machine: one change of it at a time. */
export function snapshotFacts(step: SnapshotStep, seen: SeenSnapshot | undefined): StepFacts {
  switch (step.do) {
    case 'create': {
      const { vmID, vmName, diskID } = step
      return {
        nature: 'create',
        words: `take a snapshot of CloudVM ${vmName}`,
        locks: [vmID],
        details: { vm: vmID, ...(diskID !== undefined && { disk: diskID }) },
      }
    }
    case 'delete': {
      const locks = seen === undefined ? [] : [seen.vmID]
      return { nature: 'destroy', words: 'delete the snapshot', locks }
    }
  }
}
