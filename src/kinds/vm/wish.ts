/** What the spec of a virtual machine asks for, with its references resolved. Pure. */
import type { CloudVM } from '../../api/vm.ts'
import type { VmOperationStatus } from '../../api/vmoperation.ts'
import type { CloudResource, Link, SecretLink, SecretState, Wish, WishFacts } from '../../reconcile/kind.ts'
import { markedText } from '../../reconcile/marker.ts'
import { misplaced } from '../../reconcile/placement.ts'
import { inlineCloudInit } from './cloudinit.ts'
import { cloneOf, invalid, linked, originOf, sourceLinks, unusable, waitFor } from './origin.ts'
import type { WantedVm } from './plan.ts'
import type { NewMachine, NewVmWish } from './steps.ts'

export const FIELD = {
  network: 'spec.networkRef',
  password: 'spec.passwordSecretRef',
  initSecret: 'spec.cloudInit.secretRef',
  initConfigMap: 'spec.cloudInit.configMapRef',
} as const

export function vmLinks({ spec }: CloudVM): readonly Link[] {
  const network = spec.networkRef && {
    field: FIELD.network,
    kind: 'CloudNetwork' as const,
    name: spec.networkRef.name,
    needed: 'create' as const,
  }
  return [...(network ? [network] : []), ...sourceLinks(spec)]
}

/** The password as long as the machine lives; what the guest does at its first boot only until it exists. */
export function vmSecrets(object: CloudVM): readonly SecretLink[] {
  const { passwordSecretRef: password, cloudInit } = object.spec
  const { secretRef, configMapRef } = (exists(object) ? undefined : cloudInit) ?? {}
  return [
    ...(password ? [{ field: FIELD.password, ...password }] : []),
    ...(secretRef ? [{ field: FIELD.initSecret, ...secretRef }] : []),
    ...(configMapRef ? [{ field: FIELD.initConfigMap, ...configMapRef, from: 'ConfigMap' as const }] : []),
  ]
}

/** It is there, or is to be taken over. */
function exists({ spec, status }: CloudVM): boolean {
  return status?.id !== undefined || spec.adopt !== undefined
}

export function wantVm(object: CloudVM, facts: WishFacts): Wish<WantedVm> {
  const { metadata, spec } = object
  const password = facts.secret(FIELD.password)
  if (spec.passwordSecretRef !== undefined && password === undefined) {
    return waitFor(`${FIELD.password}: Secret ${spec.passwordSecretRef.name} is not there yet`)
  }
  const create = exists(object) ? undefined : newMachine(object, facts, password)
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
      password: password && { ...password, operations: replacements(object, facts) },
      billingAccount: spec.billingAccount,
      pool: spec.adopt === undefined ? spec.pool : undefined,
    },
  }
}

/** As many as the status has room for. */
const REPLACEMENTS_MAX = 16

/** Operations that have, or may have, replaced the boot disk of this machine: the latest of those that are still there. */
function replacements({ status }: CloudVM, facts: WishFacts): readonly string[] {
  const operations = facts.referrers().filter((each) => each.kind === 'CloudVMOperation')
  const replaced = operations.filter((each) => {
    const { finishedAt, sent = [], vm, conditions } = (each.status ?? {}) as VmOperationStatus
    const done = conditions?.some(({ type }) => type === 'Complete' || type === 'OutcomeUnknown')
    const replaces = sent.includes('reinstall') || sent.includes('rebuild')
    return finishedAt !== undefined && done === true && replaces && vm?.id === status?.id
  })
  const endOf = ({ status: ended }: CloudResource) => ((ended ?? {}) as VmOperationStatus).finishedAt ?? ''
  const latest = replaced.sort((a, b) => endOf(b).localeCompare(endOf(a))).slice(0, REPLACEMENTS_MAX)
  return latest.map(({ metadata }) => metadata.uid).sort()
}

function newMachine(object: CloudVM, facts: WishFacts, password: SecretState | undefined): Wish<NewMachine> {
  return object.spec.source?.vmRef === undefined ? newVm(object, facts, password) : cloneOf(object, facts)
}

function newVm(object: CloudVM, facts: WishFacts, password: SecretState | undefined): Wish<NewVmWish> {
  const { metadata, spec } = object
  const { vcpus, memoryMiB } = spec
  if (vcpus === undefined) return invalid('spec.vcpus: is required unless adopting or cloning')
  if (memoryMiB === undefined) return invalid('spec.memoryMiB: is required unless adopting or cloning')
  const from = originOf(object, facts)
  if (from.is !== 'ready') return from
  const network = networkOf(object, facts)
  if (network.is !== 'ready') return network
  const init = cloudInitOf(object, facts)
  if (init.is !== 'ready') return init
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
      ...(init.want !== undefined && { cloudInit: init.want }),
      ...(spec.backups !== undefined && { backups: spec.backups === 'Enabled' }),
    },
  }
}

function networkOf({ spec }: CloudVM, facts: WishFacts): Wish<string | undefined> {
  if (spec.networkRef === undefined) return { is: 'ready', want: undefined }
  const target = linked(facts, FIELD.network, `CloudNetwork ${spec.networkRef.name}`)
  if (target.is !== 'ready') return target
  const located = facts.session.capabilities.networksByLocation === true
  const elsewhere = misplaced(facts, FIELD.network, target.want.object, located)
  return elsewhere === undefined ? { is: 'ready', want: target.want.id } : unusable(elsewhere)
}

/** What is referred to enters the wish as its identity and version, never as its text. */
function cloudInitOf({ spec }: CloudVM, facts: WishFacts): Wish<NewVmWish['cloudInit']> {
  const { cloudInit } = spec
  if (cloudInit === undefined) return { is: 'ready', want: undefined }
  const field = cloudInit.secretRef ? FIELD.initSecret : cloudInit.configMapRef && FIELD.initConfigMap
  if (field === undefined) {
    const json = inlineCloudInit(cloudInit)
    return { is: 'ready', want: json === undefined ? undefined : { json } }
  }
  const state = facts.secret(field)
  if (state === undefined) return waitFor(`${field}: what it refers to is not there yet`)
  return { is: 'ready', want: { field, ...state } }
}
