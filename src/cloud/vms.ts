/** Virtual machines. */
import { ignored, record, rows } from './answers.ts'
import type { CloudClient, Send } from './client.ts'
import type { VmRecord } from './records.ts'
import type { ReadOptions } from './request.ts'
import { vmSchema } from './schemas.ts'

const route = 'user-resource/vm'

/** A new VM; what is undefined is not sent. */
export interface NewVm {
  readonly name: string
  /** Always explicit: an empty network would be whichever is the default at that second. */
  readonly networkUUID: string
  /** Always explicit: the service's default is true. */
  readonly reservePublicIP: boolean
  readonly vcpus: number
  readonly memoryMiB: number
  readonly osName?: string | undefined
  readonly osVersion?: string | undefined
  /** Size of the boot disk; not sent together with `diskUUID`. */
  readonly bootDiskGiB?: number | undefined
  /** An existing unattached disk to boot from. */
  readonly diskUUID?: string | undefined
  /** The VM to copy from, together with `sourceReplica`. */
  readonly sourceUUID?: string | undefined
  readonly sourceReplica?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly publicKey?: string | undefined
  readonly description?: string | undefined
  readonly backups?: boolean | undefined
  readonly billingAccount?: number | undefined
  readonly poolUUID?: string | undefined
  /** JSON in cloud-init format; treated as a secret. */
  readonly cloudInit?: string | undefined
}

/** Only what differs may be sent: some services refuse an unchanged size. */
export interface VmChange {
  readonly name?: string | undefined
  readonly vcpus?: number | undefined
  readonly memoryMiB?: number | undefined
}

/** One VM, read exactly; absent when it is gone, or a record with `deleted`. */
export function getVm(
  client: CloudClient,
  location: string,
  uuid: string,
  options?: ReadOptions,
): Promise<VmRecord> {
  return client.read(
    {
      family: 'vm',
      method: 'GET',
      location,
      route,
      ids: { uuid },
      query: { uuid },
      exact: { kind: 'vm', id: uuid },
      answer: record(vmSchema),
    },
    options,
  )
}

/** The VMs of a location. Rows can be sparse. */
export function listVms(
  client: CloudClient,
  location: string,
  options?: ReadOptions,
): Promise<readonly VmRecord[]> {
  return client.read(
    { family: 'vm', method: 'GET', location, route: `${route}/list`, answer: rows(vmSchema) },
    options,
  )
}

/** Creates a VM; blocks until it runs, half a minute or more. */
export function createVm(client: CloudClient, location: string, vm: NewVm, send: Send): Promise<VmRecord> {
  return client.change(
    {
      family: 'vm',
      method: 'POST',
      location,
      route,
      ids: {
        network_uuid: vm.networkUUID,
        disk_uuid: vm.diskUUID,
        source_uuid: vm.sourceUUID,
        source_replica: vm.sourceReplica,
        designated_pool_uuid: vm.poolUUID,
      },
      texts: { name: vm.name },
      form: {
        name: vm.name,
        os_name: vm.osName,
        os_version: vm.osVersion,
        disks: vm.diskUUID === undefined ? vm.bootDiskGiB : undefined,
        disk_uuid: vm.diskUUID,
        source_uuid: vm.sourceUUID,
        source_replica: vm.sourceReplica,
        vcpu: vm.vcpus,
        ram: vm.memoryMiB,
        username: vm.username,
        password: vm.password,
        public_key: vm.publicKey,
        description: vm.description,
        backup: vm.backups,
        billing_account_id: vm.billingAccount,
        designated_pool_uuid: vm.poolUUID,
        network_uuid: vm.networkUUID,
        reserve_public_ip: vm.reservePublicIP,
        cloud_init: vm.cloudInit,
      },
      secrets: [vm.password, vm.cloudInit].filter((value) => value !== undefined),
      slow: true,
      answer: record(vmSchema),
    },
    send,
  )
}

/** Copies a VM, its boot disk included; blocks until the copy runs. Nothing but the name can be chosen. */
export function cloneVm(
  client: CloudClient,
  location: string,
  source: { readonly uuid: string; readonly name: string },
  send: Send,
): Promise<VmRecord> {
  const { uuid, name } = source
  return client.change(
    {
      family: 'vm',
      method: 'POST',
      location,
      route: `${route}/clone`,
      ids: { uuid },
      texts: { name },
      form: { uuid, name },
      slow: true,
      answer: record(vmSchema),
    },
    send,
  )
}

/** Changes name or sizes; sizes need the VM stopped. */
export function updateVm(
  client: CloudClient,
  location: string,
  uuid: string,
  change: VmChange,
  send: Send,
): Promise<VmRecord> {
  return client.change(
    {
      family: 'vm',
      method: 'PATCH',
      location,
      route,
      ids: { uuid },
      form: { uuid, name: change.name, vcpu: change.vcpus, ram: change.memoryMiB },
      exact: { kind: 'vm', id: uuid },
      answer: record(vmSchema),
    },
    send,
  )
}

/** Deletes a VM and its boot disk; attached data disks can go with it. */
export function deleteVm(client: CloudClient, location: string, uuid: string, send: Send): Promise<void> {
  return client.change(
    {
      family: 'vm',
      method: 'DELETE',
      location,
      route,
      ids: { uuid },
      form: { uuid },
      exact: { kind: 'vm', id: uuid },
      answer: ignored,
    },
    send,
  )
}

/** Starts a VM. The shape of a success is not documented, so nothing of it is used. */
export function startVm(client: CloudClient, location: string, uuid: string, send: Send): Promise<void> {
  return client.change(
    {
      family: 'vm',
      method: 'POST',
      location,
      route: `${route}/start`,
      ids: { uuid },
      form: { uuid },
      exact: { kind: 'vm', id: uuid },
      answer: ignored,
    },
    send,
  )
}

/** Stops a VM: gracefully, or with `force` by cutting the power. */
export function stopVm(
  client: CloudClient,
  location: string,
  uuid: string,
  how: { readonly force: boolean },
  send: Send,
): Promise<VmRecord> {
  return client.change(
    {
      family: 'vm',
      method: 'POST',
      location,
      route: `${route}/stop`,
      ids: { uuid },
      form: { uuid, force: how.force },
      exact: { kind: 'vm', id: uuid },
      slow: true,
      answer: record(vmSchema),
    },
    send,
  )
}

/** What a reinstall puts on the boot disk; nothing: what the VM was made from. */
export type NewSystem =
  | { readonly osName?: string | undefined; readonly osVersion?: string | undefined }
  | { readonly baseOSImage: string }

/** Boots a stopped VM from the rescue system, for this launch only. The shape of a success is not documented. */
export function rescueVm(client: CloudClient, location: string, uuid: string, send: Send): Promise<void> {
  return client.change(
    {
      family: 'vm',
      method: 'POST',
      location,
      route: `${route}/rescue_start`,
      ids: { uuid },
      form: { uuid },
      exact: { kind: 'vm', id: uuid },
      answer: ignored,
    },
    send,
  )
}

/** Installs an operating system anew: what is on the boot disk is lost. Blocks until the VM has it. */
export function reinstallVm(
  client: CloudClient,
  location: string,
  uuid: string,
  system: NewSystem,
  send: Send,
): Promise<VmRecord> {
  const named =
    'baseOSImage' in system
      ? { base_os_image: system.baseOSImage }
      : { os_name: system.osName, os_version: system.osVersion }
  return client.change(
    {
      family: 'vm',
      method: 'POST',
      location,
      route: `${route}/reinstall`,
      ids: { uuid },
      form: { uuid, ...named },
      exact: { kind: 'vm', id: uuid },
      slow: true,
      answer: record(vmSchema),
    },
    send,
  )
}

/** Puts the boot disk back to a replica: what was written since is lost. Blocks until it is done. */
export function rebuildVm(
  client: CloudClient,
  location: string,
  uuid: string,
  replica: string,
  send: Send,
): Promise<VmRecord> {
  return client.change(
    {
      family: 'vm',
      method: 'POST',
      location,
      route: `${route}/rebuild`,
      ids: { uuid, replica_uuid: replica },
      form: { uuid, replica_uuid: replica },
      exact: { kind: 'vm', id: uuid },
      slow: true,
      answer: record(vmSchema),
    },
    send,
  )
}

/** Sets a password inside a running VM. */
export function setPassword(
  client: CloudClient,
  location: string,
  uuid: string,
  credentials: { readonly username: string; readonly password: string },
  send: Send,
): Promise<void> {
  return client.change(
    {
      family: 'vm',
      method: 'PATCH',
      location,
      route: `${route}/user`,
      ids: { uuid },
      texts: { username: credentials.username, password: credentials.password },
      form: { uuid, username: credentials.username, password: credentials.password },
      exact: { kind: 'vm', id: uuid },
      secrets: [credentials.password],
      answer: ignored,
    },
    send,
  )
}

/** Toggles automatic backups: a second call takes the first one back. */
export function toggleBackup(
  client: CloudClient,
  location: string,
  uuid: string,
  send: Send,
): Promise<VmRecord> {
  return client.change(
    {
      family: 'vm',
      method: 'POST',
      location,
      route: `${route}/backup`,
      ids: { uuid },
      form: { uuid },
      exact: { kind: 'vm', id: uuid },
      answer: record(vmSchema),
    },
    send,
  )
}
