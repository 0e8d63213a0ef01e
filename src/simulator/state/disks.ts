/** Block storage disks, seen on their own; state/storage.ts has what is done to them through a VM. */
import { billingAccountFor, checkAmount, checkQuota, dataToken, roundUp } from './caller.ts'
import { nextNumber, nextUuid } from './ids.ts'
import { imageSizeGib, splitImage } from './locations.ts'
import type { Caller, Disk, DiskSnapshot, SourceType, Vm } from './model.ts'
import { Refusal, refuse } from './refusal.ts'

/** The caller's living disks in the location, oldest first. */
export function disksOf(caller: Caller): Disk[] {
  return [...caller.world.disks.values()].filter((disk) => isMine(caller, disk) && disk.deletedAt === null)
}

export function diskOf(caller: Caller, uuid: string): Disk {
  const disk = caller.world.disks.get(uuid)
  if (disk !== undefined && isMine(caller, disk) && disk.deletedAt === null) return disk
  return refuse('Disk not found', { status: 404, name: 'diskUnknown' })
}

/** As diskOf, but a deleted one is still shown where the service keeps tombstones. */
export function diskToShow(caller: Caller, uuid: string): Disk {
  const disk = caller.world.disks.get(uuid)
  const shown =
    disk !== undefined && isMine(caller, disk) && disk.deletedAt !== null && caller.world.rules.tombstones
  return shown ? disk : diskOf(caller, uuid)
}

function isMine(caller: Caller, disk: Disk): boolean {
  return disk.userId === caller.account.userId && disk.location === caller.location
}

export interface NewDisk {
  sizeGib: number | undefined
  billingAccount: number | undefined
  sourceType: string | undefined
  source: string | undefined
  displayName: string | undefined
}

/** A new disk, empty or copied from an image, a disk or a snapshot; not attached. */
export function createDisk(caller: Caller, wish: NewDisk): Disk {
  const billingAccount = billingAccountFor(caller, wish.billingAccount)
  const sourceType = sourceTypeOf(wish.sourceType)
  const leastGib = sourceSizeGib(caller, sourceType, wish.source)
  const sizeGib = wish.sizeGib ?? leastGib
  if (sizeGib === undefined) throw new Refusal('This field is required', { field: 'size_gb' })
  checkAmount('size_gb', sizeGib, caller.world.rules.largestDiskGib)
  if (leastGib !== undefined && sizeGib < leastGib)
    throw new Refusal(`Must be at least ${leastGib}`, { field: 'size_gb' })
  const source = sourceType === 'EMPTY' ? null : (wish.source ?? null)
  const disk = addDisk(caller, { billingAccount, sizeGib, sourceType, source })
  disk.displayName = wish.displayName ?? null
  return disk
}

export interface RawDisk {
  billingAccount: number
  sizeGib: number
  sourceType: SourceType
  source: string | null
}

/** Adds a disk without any check but the quota. */
export function addDisk(caller: Caller, raw: RawDisk): Disk {
  const { world, now } = caller
  const sizeGib = roundUp(raw.sizeGib, world.rules.diskStepGib)
  checkQuota(caller, 'disks', () => disksOf(caller).length)
  checkDiskSpace(caller, sizeGib)
  const disk: Disk = {
    uuid: nextUuid(world, 'disk'),
    id: nextNumber(world, 'disk-id'),
    userId: caller.account.userId,
    location: caller.location,
    displayName: null,
    attachedTo: null,
    visibleFrom: 0,
    primary: false,
    device: '',
    snapshots: [],
    replicas: [],
    content: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    ...raw,
    sizeGib,
  }
  world.disks.set(disk.uuid, disk)
  caller.note(`created disk ${disk.uuid}`)
  return disk
}

export function checkDiskSpace(caller: Caller, moreGib: number): void {
  const usedGib = () => disksOf(caller).reduce((sum, disk) => sum + disk.sizeGib, 0)
  checkQuota(caller, 'diskGib', usedGib, moreGib)
}

function sourceTypeOf(text: string | undefined): SourceType {
  if (text === undefined) return 'EMPTY'
  if (text === 'OS_BASE' || text === 'DISK' || text === 'SNAPSHOT' || text === 'EMPTY') return text
  throw new Refusal('Must be one of OS_BASE, DISK, SNAPSHOT, EMPTY', { field: 'source_image_type' })
}

/** The size that the source dictates, in GiB; undefined for an empty disk. */
function sourceSizeGib(caller: Caller, type: SourceType, source: string | undefined): number | undefined {
  if (type === 'EMPTY') return undefined
  if (source === undefined || source === '')
    throw new Refusal('This field is required', {
      field: 'source_image',
      name: 'sourceImageMissing',
      precondition: true,
    })
  switch (type) {
    case 'OS_BASE':
      splitImage(source, 'source_image')
      return imageSizeGib
    case 'DISK':
      return disksOf(caller).find((disk) => disk.uuid === source)?.sizeGib ?? unknownSource('disk', source)
    case 'SNAPSHOT':
      return (
        disksOf(caller)
          .flatMap((disk) => disk.snapshots)
          .find((snapshot) => snapshot.uuid === source)?.sizeGib ?? unknownSource('snapshot', source)
      )
  }
}

function unknownSource(what: string, source: string): never {
  throw new Refusal(`No such ${what}: ${source}`, { field: 'source_image' })
}

export interface DiskChange {
  billingAccount: number | undefined
  displayName: string | undefined
}

export function changeDisk(caller: Caller, uuid: string, change: DiskChange): Disk {
  const disk = diskOf(caller, uuid)
  if (change.billingAccount !== undefined)
    disk.billingAccount = billingAccountFor(caller, change.billingAccount)
  if (change.displayName !== undefined) disk.displayName = change.displayName
  disk.updatedAt = caller.now
  caller.note(`changed disk ${uuid}`)
  return disk
}

/** The disk, its snapshots and its data are gone. */
export function deleteDisk(caller: Caller, uuid: string): void {
  const disk = diskOf(caller, uuid)
  if (disk.attachedTo !== null) refuse('Disk is attached to a virtual machine', { name: 'diskAttached' })
  destroyDisk(caller, disk)
}

export function destroyDisk(caller: Caller, disk: Disk): void {
  disk.deletedAt = caller.now
  disk.updatedAt = caller.now
  disk.attachedTo = null
  disk.primary = false
  disk.device = ''
  disk.snapshots = []
  disk.replicas = []
  loseContent(caller, disk)
  caller.note(`destroyed disk ${disk.uuid}`)
}

/** Records that the present content of the disk can never be read again. */
export function loseContent(caller: Caller, disk: Disk): void {
  caller.world.lostDataTokens.push(dataToken(disk))
}

export function addSnapshot(caller: Caller, disk: Disk, replica: string | null): DiskSnapshot {
  const snapshot: DiskSnapshot = {
    uuid: nextUuid(caller.world, 'snapshot'),
    sizeGib: disk.sizeGib,
    createdAt: caller.now,
    replica,
  }
  disk.snapshots.push(snapshot)
  caller.note(`created snapshot ${snapshot.uuid}`)
  return snapshot
}

/** Links a disk to a VM; as its boot disk when it has none yet. */
export function linkDisk(caller: Caller, vm: Vm, disk: Disk, primary: boolean): void {
  const used = vm.storage.map((uuid) => caller.world.disks.get(uuid)?.device)
  disk.attachedTo = vm.uuid
  disk.primary = primary
  disk.device =
    Array.from('abcdefghijklmnopqrstuvwxyz')
      .map((letter) => `vd${letter}`)
      .find((name) => !used.includes(name)) ?? 'vdz'
  vm.storage.push(disk.uuid)
  vm.ghosts = vm.ghosts.filter((ghost) => ghost.disk !== disk.uuid)
}

export function unlinkDisk(vm: Vm, disk: Disk): void {
  vm.storage = vm.storage.filter((uuid) => uuid !== disk.uuid)
  disk.attachedTo = null
  disk.primary = false
  disk.device = ''
}
