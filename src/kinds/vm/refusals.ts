/** What the service's refusals mean: which field of the spec is at fault, and what only has to be waited for. Pure. */
import type { VmStatus } from '../../api/vm.ts'
import type { Memory, Patch } from '../../reconcile/kind.ts'
import type { Wait } from '../../reconcile/plan.ts'
import type { VmStep } from './steps.ts'

/** A size that was refused is not stopped for again. */
export function refusedVm(step: VmStep, text: string, memory: Memory<VmStatus>): Patch<VmStatus> | undefined {
  const resize = memory.status?.resize
  switch (step.do) {
    case 'resize':
      return { resize: { target: step.target, wasRunning: resize?.wasRunning ?? false, refused: text } }
    case 'stop':
    case 'forceStop':
      return step.target === undefined ? undefined : { resize: undefined }
    default:
      return undefined
  }
}

const NO_SUCH_VM = /\bno such (?:virtual machine|vm)\b|\b(?:virtual machine|vm)\b.*\bnot (?:found|exist)\b/i
const POWER = /\b(?:stopped|running|shut ?down|powered|turned off|power state)\b/i

/** The original of a clone, or the machine a snapshot is of, is another object's: it changes by itself or by its owner. */
export function refusedVmWait(step: VmStep, text: string): Wait | undefined {
  if (step.do !== 'create') return undefined
  const { vm } = step
  const field =
    'cloneOf' in vm ? 'spec.source.vmRef' : 'vmID' in vm.from ? 'spec.source.snapshotRef' : undefined
  if (field === undefined) return undefined
  if (NO_SUCH_VM.test(text)) {
    const message = `${field}: the service does not know the machine it leads to any more: "${text}"; it is looked at again by itself`
    return { reason: 'WaitingForDependency', message }
  }
  if (!('cloneOf' in vm) || !POWER.test(text)) return undefined
  const message = `${field}: the service does not clone CloudVM ${vm.original} as it is: "${text}"; the original is never stopped or started for a clone: do that there yourself (spec.powerState), and the clone is tried again by itself`
  return { reason: 'WaitingForDependency', message }
}

/** Parameters of the create call, and what in the spec they come from. */
const FIELDS: Readonly<Record<string, string>> = {
  os_name: 'spec.image',
  os_version: 'spec.image',
  disks: 'spec.bootDisk.sizeGiB',
  vcpu: 'spec.vcpus',
  ram: 'spec.memoryMiB',
  name: 'spec.name',
  username: 'spec.username',
  password: 'spec.passwordSecretRef',
  public_key: 'spec.publicKey',
  description: 'spec.description',
  billing_account_id: 'spec.billingAccount',
  designated_pool_uuid: 'spec.pool',
  source_uuid: 'spec.source.snapshotRef',
  source_replica: 'spec.source.snapshotRef',
  disk_uuid: 'spec.source.diskRef',
  network_uuid: 'spec.networkRef',
  cloud_init: 'spec.cloudInit',
  reserve_public_ip: 'spec.publicIP',
}

const IMAGE = /\b(?:image|os|operating system)\b/i

/** The field of the spec that a refused create is about, as far as the service says. */
export function refusedVmField(
  step: VmStep,
  text: string,
  parameter: string | undefined,
): string | undefined {
  if (step.do !== 'create' || 'cloneOf' in step.vm) return undefined
  // Where the shape of the error has no room for a parameter, the text may begin with it.
  const named = parameter ?? /^(\w+):/.exec(text)?.[1]
  const field = named === undefined ? undefined : FIELDS[named]
  if (field !== undefined) return field
  return 'os' in step.vm.from && IMAGE.test(text) ? 'spec.image' : undefined
}
