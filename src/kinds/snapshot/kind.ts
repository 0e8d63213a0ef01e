/** CloudSnapshot: how the pipeline reads, takes, reports and deletes snapshots of virtual machines. */
import type { CloudSnapshot, SnapshotStatus } from '../../api/snapshot.ts'
import type { CloudVM, VmStatus } from '../../api/vm.ts'
import type { Operation } from '../../api/shared.ts'
import type { KindDefinition, Memory, Patch, Wish, WishFacts } from '../../reconcile/kind.ts'
import { misplaced } from '../../reconcile/placement.ts'
import { ACCEPTED } from '../../reconcile/ending.ts'
import { resourceType } from '../../reconcile/resource.ts'
import { mayBeSameTime } from '../../reconcile/times.ts'
import { actSnapshot } from './act.ts'
import { snapshotToAdopt } from './adopt.ts'
import {
  planSnapshot,
  planSnapshotGone,
  snapshotFacts,
  type SnapshotStep,
  type WantedSnapshot,
} from './plan.ts'
import { snapshotReads, type SeenSnapshot } from './seen.ts'

const VM = 'spec.vmRef'

export const snapshotKind: KindDefinition<
  CloudSnapshot,
  WantedSnapshot,
  SeenSnapshot,
  SnapshotStep,
  SnapshotStatus
> = {
  kind: 'CloudSnapshot',
  type: resourceType('CloudSnapshot'),
  noun: 'snapshot',
  reads: snapshotReads,
  creation: {
    // A snapshot carries nothing of ours.
    identity: () => 'baseline',
    candidate: (_want, row, operation) => mayBeTaken(row, operation),
  },
  follows: { kind: 'CloudVM', field: VM, name: (object) => (object as CloudSnapshot).spec.vmRef.name },
  links: ({ spec }) => [{ field: VM, kind: 'CloudVM', name: spec.vmRef.name, needed: 'create' }],
  secrets: () => [],
  want: wantSnapshot,
  // What an earlier try made and lost is not this one's.
  pins: ({ vm, diskID }) => ({ vm, diskID, type: undefined, sizeGiB: undefined, takenAt: undefined }),
  plan: planSnapshot,
  planGone: planSnapshotGone,
  facts: snapshotFacts,
  act: (context, step, _want, seen) => actSnapshot(context, step, seen),
  effect: () => true,
  report: reportSnapshot,
  usability: () => ({ usable: true, reason: 'Available', message: 'The snapshot is available.' }),
  // What it kept is gone: another one would hold something else.
  remakes: () => false,
  findToAdopt: snapshotToAdopt,
}

/**
 * Every new snapshot of the machine may be the one that an unanswered call took, whatever disk it names. One that the
 * service said it took is a copy of the disk that was meant.
 */
function mayBeTaken({ diskID }: SeenSnapshot, operation: Operation | undefined): boolean {
  const { disk, [ACCEPTED]: accepted } = operation?.details ?? {}
  return accepted === undefined || disk === undefined || diskID === undefined || disk === diskID
}

function wantSnapshot({ metadata, spec, status }: CloudSnapshot, facts: WishFacts): Wish<WantedSnapshot> {
  const { name } = spec.vmRef
  const create = spec.adopt === undefined
  // Once it exists it stays what it is, whatever becomes of the object it refers to.
  if (status?.id !== undefined && status.vm !== undefined) {
    const vm = { name: status.vm.name ?? name, id: status.vm.id }
    return { is: 'ready', want: { vm, diskID: status.diskID, create } }
  }
  const state = facts.link(VM)
  // Being deleted itself it only has to be found.
  const leaving = metadata.deletionTimestamp !== undefined
  if (state?.state === 'leaving' && !leaving) return waitFor(`${VM}: CloudVM ${name} is being deleted`)
  if (state === undefined || state.state === 'waiting')
    return waitFor(state?.message ?? `${VM}: CloudVM ${name} does not exist yet`)
  const machine = state.object as CloudVM
  const id = machine.status?.id
  if (id === undefined) return waitFor(`${VM}: CloudVM ${name} was never made`)
  const message = misplaced(facts, VM, machine, true)
  if (message !== undefined) return { is: 'blocked', block: { reason: 'ReferenceInvalid', message } }
  const change = machine.status?.operation?.verb
  if (create && !leaving && change !== undefined) {
    return waitFor(`${VM}: CloudVM ${name} is being changed (${change}); the snapshot is taken after that`)
  }
  return { is: 'ready', want: { vm: { name, id }, diskID: bootDiskOf(machine.status), create } }
}

function bootDiskOf(status: VmStatus | undefined): string | undefined {
  const disks = status?.disks ?? []
  const [only, ...others] = disks
  return (disks.find((disk) => disk.primary === true) ?? (others.length === 0 ? only : undefined))?.id
}

function waitFor(message: string): Wish<never> {
  return { is: 'waiting', wait: { reason: 'WaitingForDependency', message } }
}

/** Of two texts for the same moment the first one stays. */
function reportSnapshot(
  { diskID, type, sizeGiB, createdAt }: SeenSnapshot,
  { status }: Memory<SnapshotStatus>,
): Patch<SnapshotStatus> {
  const takenAt = mayBeSameTime(status?.takenAt, createdAt) ? (status?.takenAt ?? createdAt) : createdAt
  return {
    ...(diskID !== undefined && { diskID }),
    ...(type !== undefined && { type }),
    ...(sizeGiB !== undefined && { sizeGiB }),
    ...(takenAt !== undefined && { takenAt }),
  }
}
