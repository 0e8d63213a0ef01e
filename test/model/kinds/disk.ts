/** Disks: made, attached to one machine at a time, grown through it, deleted free and with a word about their snapshots. */
import type { CloudDisk, DiskStatus } from '../../../src/api/disk.ts'
import type { Attachment } from '../../../src/kinds/disk/attachments.ts'
import { diskKind } from '../../../src/kinds/disk/kind.ts'
import type { WantedDisk, WantedVmOfDisk } from '../../../src/kinds/disk/plan.ts'
import type { SeenDisk } from '../../../src/kinds/disk/seen.ts'
import type { DiskStep, NewDiskWish } from '../../../src/kinds/disk/steps.ts'
import type { Fate, Model, Rule, Served, State } from '../model.ts'
import { FIELD, isEqual, isHidden, product } from '../product.ts'

export interface Disk {
  /** creating: by itself it becomes active. error: it stays as it is. */
  readonly word: 'active' | 'creating' | 'error'
  readonly name: string
  readonly sizeGiB: number
  readonly billingAccount: number
  readonly snapshots: number
  readonly attachments: readonly { readonly vmID: string; readonly boots: boolean }[]
  readonly hides: {
    readonly word?: true
    readonly name?: true
    readonly sizeGiB?: true
    readonly billingAccount?: true
    readonly snapshots?: true
    readonly attachments?: true
    /** Which disk a machine boots from. */
    readonly boots?: true
  }
  readonly deaf?: true
  /** Attaching and detaching show later. */
  readonly slow?: true
  readonly moving?: Disk['attachments']
}

/** The wish, and what a deletion reads of the spec. */
export interface DiskWish extends WantedDisk {
  readonly snapshotsOnDelete: 'Hold' | 'Delete'
}

export interface DiskWords {
  object: CloudDisk
  want: DiskWish
  cloud: Disk
  seen: SeenDisk
  step: DiskStep
  status: DiskStatus
}

const NAME = 'disk-marker'
export const VM = 'vm'
const OTHER = 'other'
const SIZE = 20

function look(disk: Disk): SeenDisk {
  const { hides, word, name, sizeGiB, billingAccount, snapshots } = disk
  return {
    id: 'disk',
    ...(hides.word !== true && { status: word === 'active' ? 'Active' : word }),
    ...(hides.name === true ? { showsLabel: false } : { label: name, showsLabel: true }),
    ...(hides.sizeGiB !== true && { sizeGiB }),
    ...(hides.billingAccount !== true && { billingAccount }),
    ...(hides.snapshots !== true && { snapshots: SNAPSHOTS.slice(0, snapshots) }),
    ...(hides.attachments !== true && { attachments: attachmentsOf(disk) }),
  }
}

const SNAPSHOTS = [{ uuid: 's-1' }, { uuid: 's-2' }]

function attachmentsOf({ attachments, hides }: Disk): readonly Attachment[] {
  return attachments.map(({ vmID, boots }) => ({ vmID, ...(hides.boots !== true && { primary: boots }) }))
}

function serve({ cloud, want }: State<DiskWords>, step: DiskStep): Served<DiskWords> {
  if (step.do === 'create') return { is: 'done', cloud: created(step.disk) }
  if (cloud === undefined) throw new Error('there is no disk')
  const { attachments } = cloud
  switch (step.do) {
    case 'setBillingAccount':
      return set(cloud, { billingAccount: step.billingAccount })
    case 'rename':
      return set(cloud, { name: step.name })
    case 'grow':
      return set(cloud, { sizeGiB: step.sizeGiB })
    case 'attach':
      return moved(cloud, [...attachments, { vmID: step.vmID, boots: false }])
    case 'detach':
      return moved(
        cloud,
        attachments.filter(({ vmID }) => vmID !== step.vmID),
      )
    case 'delete':
      return {
        is: 'done',
        cloud: undefined,
        lost: want.snapshotsOnDelete === 'Hold' && cloud.snapshots > 0 ? ['snapshots'] : [],
      }
  }
}

function created({ name, sizeGiB, billingAccount }: NewDiskWish): Disk {
  return { word: 'creating', name, sizeGiB, billingAccount, snapshots: 0, attachments: [], hides: {} }
}

function set(cloud: Disk, fields: Partial<Disk>): Served<DiskWords> {
  return { is: 'done', cloud: cloud.deaf === true ? cloud : { ...cloud, ...fields } }
}

function moved(cloud: Disk, attachments: Disk['attachments']): Served<DiskWords> {
  return cloud.slow === true
    ? { is: 'done', cloud: { ...cloud, moving: attachments }, later: true }
    : { is: 'done', cloud: { ...cloud, attachments } }
}

function elapse(cloud: Disk): Disk {
  if (cloud.word === 'creating') return { ...cloud, word: 'active' }
  if (cloud.moving === undefined) return cloud
  const { moving, ...rest } = cloud
  return { ...rest, attachments: moving }
}

const PLACES: readonly WantedVmOfDisk[] = [
  { is: 'none' },
  { is: 'ready', id: VM, name: 'web' },
  { is: 'waiting', message: 'CloudVM web does not exist yet' },
]

const ATTACHED = {
  nowhere: [],
  right: [{ vmID: VM, boots: false }],
  wrong: [{ vmID: OTHER, boots: false }],
  both: [
    { vmID: OTHER, boots: false },
    { vmID: VM, boots: false },
  ],
  'boots the right': [{ vmID: VM, boots: true }],
  'boots another': [{ vmID: OTHER, boots: true }],
} as const

/** An open call, and what becomes of it. */
const OPEN = [
  'none',
  'attach arrives',
  'attach lost',
  'attach overdue',
  'detach arrives',
  'detach lost',
] as const

function opened(open: (typeof OPEN)[number], vmID: string): Pick<State<DiskWords>, 'status' | 'fate'> {
  if (open === 'none') return { status: {} }
  const [verb = '', fate] = open.split(' ')
  const operation = { id: 'operation', verb, issuedAt: '2026-01-01T00:00:00Z', details: { vm: vmID } }
  return { status: { operation }, fate: fate as Fate }
}

function* newStates(): Generator<State<DiskWords>> {
  const axes = {
    creates: [true, false],
    named: [true, false],
    sizeGiB: [undefined, SIZE],
    account: [undefined, 1],
    vm: PLACES.slice(0, 2),
    snapshotsOnDelete: ['Hold', 'Delete'],
  } as const
  for (const each of product(axes)) {
    const create: NewDiskWish = { name: NAME, sizeGiB: SIZE, billingAccount: 1 }
    yield {
      want: {
        create: each.creates ? create : undefined,
        name: each.named ? NAME : undefined,
        sizeGiB: each.sizeGiB,
        billingAccount: each.account,
        vm: each.vm,
        snapshotsOnDelete: each.snapshotsOnDelete,
      },
      cloud: undefined,
      status: {},
    }
  }
}

function* states(): Generator<State<DiskWords>> {
  yield* newStates()
  const axes = {
    vm: PLACES,
    attached: Object.keys(ATTACHED) as readonly (keyof typeof ATTACHED)[],
    shown: ['attachments', 'no boots', 'nothing'],
    size: ['unmanaged', 'equal', 'smaller', 'bigger', 'hidden'],
    word: ['active', 'creating', 'error', 'hidden'],
    name: FIELD.slice(0, 4),
    account: ['unmanaged', 'differs', 'hiddenDiffers'],
    snapshots: ['none', 'Hold some', 'Delete some', 'Hold hidden', 'Delete hidden'],
    open: OPEN,
    service: ['quick', 'slow', 'deaf'],
  } as const
  for (const each of product(axes)) {
    if (isPointless(each)) continue
    const attachments = ATTACHED[each.attached]
    yield {
      want: {
        create: undefined,
        name: each.name === 'unmanaged' ? undefined : NAME,
        sizeGiB: each.size === 'unmanaged' ? undefined : SIZE,
        billingAccount: each.account === 'unmanaged' ? undefined : 1,
        vm: each.vm,
        snapshotsOnDelete: each.snapshots.startsWith('Delete') ? 'Delete' : 'Hold',
      },
      cloud: {
        word: each.word === 'hidden' ? 'active' : each.word,
        name: isEqual(each.name) ? NAME : 'other',
        sizeGiB: each.size === 'smaller' || each.size === 'hidden' ? 10 : each.size === 'bigger' ? 30 : SIZE,
        billingAccount: 2,
        snapshots: each.snapshots === 'none' ? 0 : 2,
        attachments,
        hides: {
          ...(each.word === 'hidden' && { word: true }),
          ...(isHidden(each.name) && { name: true }),
          ...(each.size === 'hidden' && { sizeGiB: true }),
          ...(each.account === 'hiddenDiffers' && { billingAccount: true }),
          ...(each.snapshots.endsWith('hidden') && { snapshots: true }),
          ...(each.shown === 'nothing' && { attachments: true }),
          ...(each.shown !== 'attachments' && { boots: true }),
        },
        ...(each.service === 'slow' && { slow: true }),
        ...(each.service === 'deaf' && { deaf: true }),
      },
      ...opened(each.open, each.open.startsWith('attach') ? VM : OTHER),
    }
  }
}

interface Point {
  readonly attached: keyof typeof ATTACHED
  readonly shown: string
  readonly word: string
  readonly open: (typeof OPEN)[number]
  readonly service: string
  readonly account: string
  readonly snapshots: string
}

/** Combinations that say the same as another one, or that no service shows. */
function isPointless({ attached, shown, word, open, service, account, snapshots }: Point): boolean {
  if (open.startsWith('attach') && attached !== 'nowhere') return true
  if (open.startsWith('detach') && attached !== 'wrong' && attached !== 'both') return true
  // Without its disks being shown no effect shows either: what is open stays so.
  if (open !== 'none' && (shown === 'nothing' || word !== 'active')) return true
  if (word !== 'active' && (service !== 'quick' || account !== 'unmanaged')) return true
  if (service !== 'quick' && (open !== 'none' || snapshots !== 'none')) return true
  return account !== 'unmanaged' && snapshots.endsWith('hidden')
}

const rules: readonly Rule<DiskWords>[] = [
  {
    says: 'a disk is made only where there is none, and where one is to be made',
    of: ['create'],
    kept: ({ cloud, want }) => cloud === undefined && want.create !== undefined,
  },
  {
    says: 'nothing is sent into a transition of a disk',
    kept: ({ cloud }) => cloud === undefined || cloud.word === 'active' || cloud.hides.word === true,
  },
  {
    says: 'a disk is attached only while it is known to be free',
    of: ['attach'],
    kept: ({ cloud }) =>
      cloud?.hides.attachments === undefined && cloud?.attachments.length === 0 && !cloud.moving,
  },
  {
    says: 'a disk is attached only to the machine that the spec says',
    of: ['attach'],
    kept: ({ want }, step) => step.do === 'attach' && want.vm.is === 'ready' && want.vm.id === step.vmID,
  },
  {
    says: 'a disk is detached only from a machine that is shown to have it',
    of: ['detach'],
    kept: ({ cloud }, step) =>
      step.do === 'detach' &&
      cloud?.hides.attachments === undefined &&
      cloud?.attachments.some(({ vmID }) => vmID === step.vmID) === true,
  },
  {
    says: 'a disk is detached only from a machine that is shown not to boot from it',
    of: ['detach'],
    kept: ({ cloud }, step) =>
      step.do === 'detach' &&
      cloud?.hides.boots === undefined &&
      cloud?.attachments.some(({ vmID, boots }) => vmID === step.vmID && boots) === false,
  },
  {
    says: 'a disk grows only through a machine that has it',
    of: ['grow'],
    kept: ({ cloud }, step) =>
      step.do === 'grow' &&
      cloud?.hides.attachments === undefined &&
      cloud?.attachments.some(({ vmID }) => vmID === step.vmID) === true,
  },
  {
    says: 'a disk never shrinks, and grows only from a size that is shown',
    of: ['grow'],
    kept: ({ cloud }, step) =>
      step.do === 'grow' && cloud?.hides.sizeGiB === undefined && (cloud?.sizeGiB ?? 0) < step.sizeGiB,
  },
  {
    says: 'a disk is renamed only where another name is shown',
    of: ['rename'],
    kept: ({ cloud }, step) =>
      step.do === 'rename' && cloud?.hides.name === undefined && cloud?.name !== step.name,
  },
  {
    says: 'a disk is charged elsewhere only where another account is shown',
    of: ['setBillingAccount'],
    kept: ({ cloud }, step) =>
      step.do === 'setBillingAccount' &&
      cloud?.hides.billingAccount === undefined &&
      cloud?.billingAccount !== step.billingAccount,
  },
  {
    says: 'a disk is deleted only while it is known to be free',
    of: ['delete'],
    kept: ({ cloud }) => cloud?.hides.attachments === undefined && cloud?.attachments.length === 0,
  },
]

export const diskModel: Omit<Model<DiskWords>, 'ends'> = {
  kind: 'CloudDisk',
  planner: diskKind,
  states,
  object: ({ snapshotsOnDelete }) => ({ spec: { snapshotsOnDelete } }) as CloudDisk,
  look,
  serve,
  elapse,
  made: (want) => ({ ...want, create: undefined }),
  stepOf: ({ verb, details }) => ({ do: verb as 'attach' | 'detach', vmID: details?.['vm'] ?? '' }),
  names: (step) => ('vmID' in step ? [step.vmID] : []),
  rules,
  most: 8,
}
