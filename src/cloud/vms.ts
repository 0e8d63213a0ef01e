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
