/** What is done to a VM beside changing its record: power, systems, users, backups. */
import { ignored, record } from './answers.ts'
import type { CloudClient, Send } from './client.ts'
import type { VmRecord } from './records.ts'
import type { CloudRequest } from './request.ts'
import { vmSchema } from './schemas.ts'

const route = 'user-resource/vm'

/** A call about one VM, named in its form: its "no such VM" means that this one is gone. */
function about(location: string, uuid: string) {
  return {
    family: 'vm',
    location,
    ids: { uuid },
    form: { uuid },
    exact: { kind: 'vm', id: uuid },
  } as const satisfies Partial<CloudRequest<unknown>>
}

/** Starts a VM. The shape of a success is not documented, so nothing of it is used. */
export function startVm(client: CloudClient, location: string, uuid: string, send: Send): Promise<void> {
  return client.change(
    { ...about(location, uuid), method: 'POST', route: `${route}/start`, answer: ignored },
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
  const call = { ...about(location, uuid), form: { uuid, force: how.force }, slow: true }
  return client.change({ ...call, method: 'POST', route: `${route}/stop`, answer: record(vmSchema) }, send)
}

/** What a reinstall puts on the boot disk; nothing: what the VM was made from. */
export type NewSystem =
  | { readonly osName?: string | undefined; readonly osVersion?: string | undefined }
  | { readonly baseOSImage: string }

/** Boots a stopped VM from the rescue system, for this launch only. The shape of a success is not documented. */
export function rescueVm(client: CloudClient, location: string, uuid: string, send: Send): Promise<void> {
  return client.change(
    { ...about(location, uuid), method: 'POST', route: `${route}/rescue_start`, answer: ignored },
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
  const call = { ...about(location, uuid), form: { uuid, ...named }, slow: true }
  return client.change(
    { ...call, method: 'POST', route: `${route}/reinstall`, answer: record(vmSchema) },
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
  const named = { uuid, replica_uuid: replica }
  const call = { ...about(location, uuid), ids: named, form: named, slow: true }
  return client.change({ ...call, method: 'POST', route: `${route}/rebuild`, answer: record(vmSchema) }, send)
}

/** Sets a password inside a running VM. */
export function setPassword(
  client: CloudClient,
  location: string,
  uuid: string,
  credentials: { readonly username: string; readonly password: string },
  send: Send,
): Promise<void> {
  const { username, password } = credentials
  return client.change(
    {
      ...about(location, uuid),
      method: 'PATCH',
      route: `${route}/user`,
      texts: { username, password },
      form: { uuid, username, password },
      secrets: [password],
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
    { ...about(location, uuid), method: 'POST', route: `${route}/backup`, answer: record(vmSchema) },
    send,
  )
}
