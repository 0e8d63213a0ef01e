/** Snapshots: taken, and deleted; nothing about one ever changes. */
import type { CloudSnapshot, SnapshotStatus } from '../../../src/api/snapshot.ts'
import { snapshotKind } from '../../../src/kinds/snapshot/kind.ts'
import type { SnapshotStep, WantedSnapshot } from '../../../src/kinds/snapshot/plan.ts'
import type { SeenSnapshot } from '../../../src/kinds/snapshot/seen.ts'
import type { Model, Rule, State } from '../model.ts'
import { product } from '../product.ts'

export interface Snapshot {
  readonly vmID: string
  readonly diskID: string
  readonly type: string
  readonly hides: {
    readonly diskID?: true
    readonly type?: true
    readonly sizeGiB?: true
    readonly createdAt?: true
  }
}

export interface SnapshotWords {
  object: CloudSnapshot
  want: WantedSnapshot
  cloud: Snapshot
  seen: SeenSnapshot
  step: SnapshotStep
  status: SnapshotStatus
}

const TAKEN = '2026-01-01 00:00:00'

function look({ vmID, diskID, type, hides }: Snapshot): SeenSnapshot {
  return {
    id: 'snapshot',
    vmID,
    showsLabel: false,
    ...(hides.diskID !== true && { diskID }),
    ...(hides.type !== true && { type }),
    ...(hides.sizeGiB !== true && { sizeGiB: 20 }),
    ...(hides.createdAt !== true && { createdAt: TAKEN }),
  }
}

function* states(): Generator<State<SnapshotWords>> {
  const axes = {
    create: [true, false],
    there: [true, false],
    wanted: ['boot', 'data', undefined],
    disk: ['boot', 'data'],
    type: ['snapshot', 'backup'],
    hidesDisk: [false, true],
    hidesType: [false, true],
    hidesSize: [false, true],
    hidesTime: [false, true],
    recorded: [{}, { diskID: 'boot', type: 'snapshot', sizeGiB: 20, takenAt: TAKEN }],
    observes: [false, true],
  } as const
  for (const each of product(axes)) {
    const hides = each.hidesDisk || each.hidesType || each.hidesSize || each.hidesTime
    if (!each.there && (hides || each.disk !== 'boot' || each.type !== 'snapshot')) continue
    yield {
      want: { vm: { name: 'web', id: 'vm' }, diskID: each.wanted, create: each.create },
      cloud: each.there
        ? {
            vmID: 'vm',
            diskID: each.disk,
            type: each.type,
            hides: {
              ...(each.hidesDisk && { diskID: true }),
              ...(each.hidesType && { type: true }),
              ...(each.hidesSize && { sizeGiB: true }),
              ...(each.hidesTime && { createdAt: true }),
            },
          }
        : undefined,
      status: each.recorded,
      observes: each.observes,
    }
  }
}

const rules: readonly Rule<SnapshotWords>[] = [
  {
    says: 'a snapshot is taken only where there is none, and where one is to be made',
    of: ['create'],
    kept: ({ cloud, want }) => cloud === undefined && want.create,
  },
  {
    says: 'a snapshot is taken of the machine that is meant',
    of: ['create'],
    kept: ({ want }, step) => step.do === 'create' && step.vmID === want.vm.id,
  },
  { says: 'a snapshot is deleted only while it is there', of: ['delete'], kept: ({ cloud }) => !!cloud },
]

export const snapshotModel: Omit<Model<SnapshotWords>, 'ends'> = {
  kind: 'CloudSnapshot',
  planner: snapshotKind,
  states,
  object: () => ({ spec: {} }) as CloudSnapshot,
  look,
  serve: (_state, step) => ({
    is: 'done',
    cloud:
      step.do === 'delete'
        ? undefined
        : { vmID: step.vmID, diskID: step.diskID ?? 'boot', type: 'snapshot', hides: {} },
  }),
  elapse: (cloud) => cloud,
  made: (want) => want,
  stepOf: () => undefined,
  // Either is of the machine, and goes one at a time with what is done to it.
  names: (step, cloud) => [step.do === 'create' ? step.vmID : (cloud?.vmID ?? '')],
  rules,
  most: 2,
}
