/** What the spec of a virtual machine asks for, with its references resolved. Pure. */
import type { CloudDisk } from '../../api/disk.ts'
import type { CloudInit } from '../../api/guest.ts'
import type { CloudVM } from '../../api/vm.ts'
import type { CloudResource, SecretState, Wish, WishFacts } from '../../reconcile/kind.ts'
import { markedText } from '../../reconcile/marker.ts'
import { misplaced } from '../../reconcile/placement.ts'
import type { WantedVm } from './plan.ts'
import type { NewVmWish } from './steps.ts'

export const FIELD = {
  network: 'spec.networkRef',
  disk: 'spec.source.diskRef',
  password: 'spec.passwordSecretRef',
} as const

export function wantVm(object: CloudVM, facts: WishFacts): Wish<WantedVm> {
  const { metadata, spec, status } = object
  const password = facts.secret(FIELD.password)
  if (spec.passwordSecretRef !== undefined && password === undefined) {
    return waitFor(`${FIELD.password}: Secret ${spec.passwordSecretRef.name} is not there yet`)
  }
  const exists = status?.id !== undefined || spec.adopt !== undefined
  const create = exists ? undefined : newVm(object, facts, password)
  if (create !== undefined && create.is !== 'ready') return create
  return {
    is: 'ready',
    want: {
      create: create?.want,
      // The name of a machine taken over may be left alone.
      name: spec.name ?? (spec.adopt === undefined ? metadata.name : undefined),
      vcpus: spec.vcpus,
      memoryMiB: spec.memoryMiB,
      bootDiskGiB: spec.bootDisk?.sizeGiB,
      backups: spec.backups === undefined ? undefined : spec.backups === 'Enabled',
      powerState: spec.powerState,
      stopMode: spec.stop?.mode ?? 'Graceful',
      username: spec.username,
      password,
      billingAccount: spec.billingAccount,
      pool: spec.adopt === undefined ? spec.pool : undefined,
    },
  }
}

function newVm(object: CloudVM, facts: WishFacts, password: SecretState | undefined): Wish<NewVmWish> {
  const { metadata, spec } = object
  const { vcpus, memoryMiB } = spec
  if (vcpus === undefined) return invalid('spec.vcpus: is required unless adopting')
  if (memoryMiB === undefined) return invalid('spec.memoryMiB: is required unless adopting')
  const from = origin(object, facts)
  if (from.is !== 'ready') return from
  const network = networkOf(object, facts)
  if (network.is !== 'ready') return network
  const cloudInit = spec.cloudInit === undefined ? undefined : cloudInitText(spec.cloudInit)
  return {
    is: 'ready',
    want: {
      name: spec.name ?? metadata.name,
      description: markedText(spec.description, facts.marker),
      vcpus,
      memoryMiB,
      from: from.want,
      ...(network.want !== undefined && { networkID: network.want }),
      ...(spec.pool !== undefined && { pool: spec.pool }),
      reservePublicIP: spec.publicIP === 'Reserve',
      billingAccount: spec.billingAccount ?? facts.session.billingAccount,
      ...(spec.username !== undefined && { username: spec.username }),
      ...(password !== undefined && { password }),
      ...(spec.publicKey !== undefined && { publicKey: spec.publicKey }),
      ...(cloudInit !== undefined && { cloudInit }),
      ...(spec.backups !== undefined && { backups: spec.backups === 'Enabled' }),
    },
  }
}

function origin(object: CloudVM, facts: WishFacts): Wish<NewVmWish['from']> {
  const { image, source, bootDisk } = object.spec
  if (source?.diskRef !== undefined) return bootDiskFrom(source.diskRef.name, facts)
  if (image === undefined || bootDisk === undefined)
    return invalid('spec.image: needs spec.bootDisk beside it')
  const from = { os: image.os, version: image.version, bootDiskGiB: bootDisk.sizeGiB }
  return { is: 'ready', want: from }
}

/** A disk to boot from belongs to its machine: it must be free, and is never attached by a vmRef of its own. */
function bootDiskFrom(name: string, facts: WishFacts): Wish<NewVmWish['from']> {
  const target = linked(facts, FIELD.disk, `CloudDisk ${name}`)
  if (target.is !== 'ready') return target
  const elsewhere = misplaced(facts, FIELD.disk, target.want.object, true)
  if (elsewhere !== undefined)
    return { is: 'blocked', block: { reason: 'ReferenceInvalid', message: elsewhere } }
  const disk = target.want.object as CloudDisk
  if (disk.spec.vmRef !== undefined) {
    const message = `${FIELD.disk}: CloudDisk ${name} is attached by its own vmRef; a disk to boot from belongs to the virtual machine made from it: remove spec.vmRef there`
    return { is: 'blocked', block: { reason: 'ReferenceInvalid', message } }
  }
  if (disk.status?.attachedTo !== undefined) {
    const holder = disk.status.attachedTo.name ?? disk.status.attachedTo.id
    return waitFor(
      `${FIELD.disk}: CloudDisk ${name} is still attached to ${holder}; waiting until it is free`,
    )
  }
  return { is: 'ready', want: { diskID: target.want.id } }
}

function networkOf({ spec }: CloudVM, facts: WishFacts): Wish<string | undefined> {
  if (spec.networkRef === undefined) return { is: 'ready', want: undefined }
  const target = linked(facts, FIELD.network, `CloudNetwork ${spec.networkRef.name}`)
  if (target.is !== 'ready') return target
  const located = facts.session.capabilities.networksByLocation === true
  const elsewhere = misplaced(facts, FIELD.network, target.want.object, located)
  if (elsewhere === undefined) return { is: 'ready', want: target.want.id }
  return { is: 'blocked', block: { reason: 'ReferenceInvalid', message: elsewhere } }
}

function linked(
  facts: WishFacts,
  field: string,
  named: string,
): Wish<{ readonly id: string; readonly object: CloudResource }> {
  const state = facts.link(field)
  if (state?.state === 'ready') return { is: 'ready', want: state }
  if (state?.state === 'leaving') return waitFor(`${field}: ${named} is being deleted; refer to another one`)
  return waitFor(state?.message ?? `${field}: ${named} does not exist yet`)
}

/** The spec's own words in the words of cloud-init. */
function cloudInitText({ runcmd, writeFiles }: CloudInit): string | undefined {
  if (runcmd === undefined && writeFiles === undefined) return undefined
  return JSON.stringify({
    ...(writeFiles !== undefined && { write_files: writeFiles }),
    ...(runcmd !== undefined && { runcmd }),
  })
}

function waitFor(message: string): Wish<never> {
  return { is: 'waiting', wait: { reason: 'WaitingForDependency', message } }
}

function invalid(message: string): Wish<never> {
  return { is: 'blocked', block: { reason: 'InvalidSpec', message } }
}
