/** Carries out one step: one switch, one changing HTTP call each. */
import type { VmStatus } from '../../api/vm.ts'
import { orAbsent } from '../../cloud/absent.ts'
import { deleteDisk } from '../../cloud/disks.ts'
import { deleteFloatingIp, getFloatingIp } from '../../cloud/floatingips.ts'
import type { VmRecord } from '../../cloud/records.ts'
import { detachDisk, growDisk } from '../../cloud/vm-storage.ts'
import { cloneVm, createVm, deleteVm, updateVm, type NewVm } from '../../cloud/vms.ts'
import { setPassword, startVm, stopVm, toggleBackup } from '../../cloud/vm-operations.ts'
import type { CallContext } from '../../reconcile/kind.ts'
import { needed } from '../../reconcile/needed.ts'
import { StepRefused, StepWaits } from '../../reconcile/refused.ts'
import { cloudInitFrom } from './cloudinit.ts'
import { isStillReserved } from './companions.ts'
import { seenVm, type SeenVm } from './seen.ts'
import type { NewClone, NewVmWish, VmStep } from './steps.ts'

type Context = CallContext<VmStatus>

export async function actVm(context: Context, step: VmStep, before: SeenVm | undefined): Promise<SeenVm> {
  if (step.do === 'create') return 'cloneOf' in step.vm ? cloned(context, step.vm) : created(context, step.vm)
  const { location, send, session } = context
  const { client, inventory } = session
  const seen = needed(before)
  switch (step.do) {
    case 'rename': {
      const reply = await updateVm(client, location, seen.id, { name: step.name }, send)
      return { ...seen, name: step.name, ...noted(context, reply) }
    }
    case 'growBootDisk': {
      const reply = await growDisk(client, location, seen.id, step.diskID, step.sizeGiB, send)
      const grown = { sizeGiB: step.sizeGiB, ...reply }
      session.memory.storage.delete(seen.id)
      const storage = needed(seen.storage).map((each) =>
        each.uuid === step.diskID ? { ...each, ...grown } : each,
      )
      return { ...seen, storage }
    }
    case 'toggleBackups':
      return { ...seen, ...noted(context, await toggleBackup(client, location, seen.id, send)) }
    case 'setPassword': {
      const { username, secretUID, secretVersion, operations } = step
      await setPassword(client, location, seen.id, { username, password: password(context) }, send)
      const after = operations === undefined ? {} : { operations: [...operations] }
      return { ...seen, passwordSet: { secretUID, secretVersion, ...after } }
    }
    case 'stop':
    case 'forceStop': {
      const force = step.do === 'forceStop'
      return { ...seen, ...noted(context, await stopVm(client, location, seen.id, { force }, send)) }
    }
    case 'resize': {
      const { vcpus, memoryMiB, target } = step
      const reply = await updateVm(client, location, seen.id, { vcpus, memoryMiB }, send)
      return { ...seen, ...target, ...noted(context, reply) }
    }
    case 'start':
      await startVm(client, location, seen.id, send)
      // The answer says nothing: the next read does.
      return { ...seen, power: 'between', powerWord: 'starting' }
    case 'detachDisk':
      await detachDisk(client, location, seen.id, step.diskID, send)
      session.memory.storage.delete(seen.id)
      return seen
    case 'delete':
      await deleteVm(client, location, seen.id, send)
      inventory.forget('vm', location, seen.id)
      return seen
    case 'releaseAddress': {
      // An address can be handed out again: its id tells whether it is still the one that was made along.
      const record = await orAbsent(getFloatingIp(client, location, step.address))
      if (record === undefined || !isStillReserved(record, step, seen.id)) return seen
      await deleteFloatingIp(client, location, step.address, send)
      inventory.forget('floatingIP', location, step.id)
      return seen
    }
    case 'deleteBootDisk':
      await deleteDisk(client, location, step.diskID, send)
      inventory.forget('disk', location, step.diskID)
      return seen
  }
}

/** The reply as an observation, written through into the shared list. A reply may lack fields. */
function noted({ session, location }: Context, reply: VmRecord): SeenVm {
  session.inventory.note('vm', location, reply)
  return seenVm(reply)
}

async function created(context: Context, vm: NewVmWish): Promise<SeenVm> {
  const networkUUID = vm.networkID ?? (await defaultNetwork(context))
  const poolUUID = vm.pool === undefined ? undefined : await poolNamed(context, vm.pool)
  const body: NewVm = {
    name: vm.name,
    description: vm.description,
    networkUUID,
    poolUUID,
    reservePublicIP: vm.reservePublicIP,
    vcpus: vm.vcpus,
    memoryMiB: vm.memoryMiB,
    ...sourceFields(vm.from),
    billingAccount: vm.billingAccount,
    username: vm.username,
    password: vm.password === undefined ? undefined : password(context),
    publicKey: vm.publicKey,
    cloudInit: cloudInitText(context, vm.cloudInit),
    backups: vm.backups,
  }
  return noted(context, await createVm(context.session.client, context.location, body, context.send))
}

function sourceFields(from: NewVmWish['from']): Partial<NewVm> {
  if ('diskID' in from) return { diskUUID: from.diskID }
  if ('replicaID' in from) return { sourceUUID: from.vmID, sourceReplica: from.replicaID }
  return { osName: from.os, osVersion: from.version, bootDiskGiB: from.bootDiskGiB }
}

async function cloned(context: Context, { cloneOf, name }: NewClone): Promise<SeenVm> {
  const { location, send, session } = context
  return noted(context, await cloneVm(session.client, location, { uuid: cloneOf, name }, send))
}

function cloudInitText(context: Context, from: NewVmWish['cloudInit']): string | undefined {
  if (from === undefined) return undefined
  if ('json' in from) return from.json
  const text = context.secretValue(from.field)
  if (text === undefined) throw new StepWaits(`${from.field}: what it refers to is not there yet`)
  return cloudInitFrom(from.field, text)
}

function password(context: Context): string {
  const value = context.secretValue('spec.passwordSecretRef')
  if (value === undefined) throw new StepWaits('spec.passwordSecretRef: the Secret is not there yet')
  return value
}

/** Milliseconds; a default network made a moment ago is written through into the list. */
const DEFAULT_NETWORK_AGE_MS = 10_000

/** Sent explicitly: left out, it would be whichever network is the default when the call arrives. */
async function defaultNetwork({ session, location }: Context): Promise<string> {
  const scope = await session.networkScope(location)
  const { rows } = await session.inventory.list('network', scope, { maxAgeMs: DEFAULT_NETWORK_AGE_MS })
  const defaults = rows.filter((each) => each.isDefault === true)
  const only = defaults[0]
  if (only !== undefined && defaults.length === 1) return only.uuid
  throw new StepWaits(
    only === undefined
      ? 'spec.networkRef: the account has no default network yet; make a CloudNetwork with default: true, or make this CloudVM anew with networkRef'
      : 'spec.networkRef: the service shows more than one default network at the moment; waiting until it shows one',
  )
}

async function poolNamed({ session, location }: Context, text: string): Promise<string> {
  const pools = await session.pools(location)
  const byID = pools.find((each) => each.uuid.toLowerCase() === text.toLowerCase())
  const named = pools.filter((each) => each.name === text)
  const found = byID ?? (named.length === 1 ? named[0] : undefined)
  if (found !== undefined) return found.uuid
  if (named.length > 1) {
    const ids = named.map((each) => each.uuid).join(', ')
    throw new StepRefused(
      `spec.pool: ${location} has several pools named ${text}; name one by its uuid: ${ids}`,
    )
  }
  const known = pools.map((each) => each.name ?? each.uuid).join(', ')
  throw new StepRefused(`spec.pool: ${location} has no pool ${text}; known: ${known === '' ? 'none' : known}`)
}
