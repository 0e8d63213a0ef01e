/** Stories about a disk that a machine boots from and that is to stay: whatever its object is called, or became of it. */
import type { End, Scenario } from '../steps.ts'
import { apply, disk, edit, idOf, named, oneByOne, ref, remove, settle, vm, wait, wipe } from './words.ts'

const RETAIN = { lifecycle: { onDelete: 'Retain' } }
const DELETE = { lifecycle: { onDelete: 'Delete' } }
const from = { source: { image: { os: 'ubuntu', version: '24.04' } }, sizeGiB: 20 }
const root = disk('root', { ...from, ...RETAIN })
const booted = (lifecycle: object) => ({
  kind: 'CloudVM',
  name: 'web',
  spec: { source: { diskRef: ref(root) }, vcpus: 1, memoryMiB: 1_024, ...lifecycle },
})
const web = vm('web')
const guard = disk('guard', { adopt: { id: idOf(web, 'disks.0.id') } })

/** Both are kept: the disk's object may go. */
const LET_GO = [apply(root), apply(booted(RETAIN)), remove(root)]
const DELETED = [edit(booted(RETAIN), DELETE), remove(booted(DELETE))]

const held = (...kinds: readonly string[]): readonly End[] =>
  [...kinds, 'CloudAccount'].map((kind) => ({
    kind,
    reason: 'WaitingForDependents',
    because: 'the disk is to stay, and would go with the machine that is not',
  }))

export const bootDiskScenarios: readonly Scenario[] = [
  {
    name: 'boots-let-go',
    timeline: oneByOne(...LET_GO, ...DELETED),
    ends: held('CloudVM'),
  },
  {
    name: 'boots-renewed',
    timeline: oneByOne(
      ...LET_GO,
      apply(disk('root', { ...from, ...DELETE })),
      edit(booted(RETAIN), DELETE),
      remove(disk('root')),
      remove(booted(DELETE)),
    ),
    ends: held('CloudVM'),
  },
  {
    name: 'boots-stripped',
    timeline: oneByOne(
      apply(root),
      apply(booted(DELETE)),
      remove(root),
      { do: 'stripFinalizer', object: named(root) },
      remove(booted(DELETE)),
    ),
    ends: held('CloudVM'),
  },
  {
    name: 'boots-wiped',
    timeline: [
      ...oneByOne(apply(root), apply(booted(DELETE))),
      wipe(root),
      remove(root),
      settle,
      remove(booted(DELETE)),
      settle,
    ],
    ends: held('CloudVM', 'CloudDisk'),
  },
  {
    name: 'boots-adopted',
    timeline: oneByOne(apply(web), apply(guard), remove(web)),
    ends: held('CloudVM', 'CloudDisk'),
  },
  {
    name: 'boots-adopted-kept',
    timeline: oneByOne(apply(web), apply(guard), remove(guard), remove(web)),
    ends: held('CloudVM', 'CloudDisk'),
  },
  {
    name: 'boots-guard-waits',
    timeline: [
      ...oneByOne(...LET_GO, ...DELETED),
      apply(
        disk('guard', {
          adopt: { id: idOf(web, 'disks.0.id') },
          accountRef: { name: 'later' },
          ...RETAIN,
        }),
      ),
      wait(120),
    ],
    ends: [
      ...held('CloudVM'),
      { kind: 'CloudDisk', reason: 'AccountUnavailable', because: 'the account it refers to is not there' },
    ],
  },
]
