/** Replicas: copies of a VM's boot disk, taken by hand (snapshots) or by the service itself (backups). */
import { ignored, record, rows } from './answers.ts'
import type { CloudClient, Send } from './client.ts'
import { CloudError } from './errors.ts'
import type { ReplicaRecord, StorageRecord } from './records.ts'
import type { ReadOptions } from './request.ts'
import { replicaSchema, storageSchema } from './schemas.ts'

const route = 'user-resource/vm/replica'

/** Replicas of one type (the service's word: snapshot, backup) of a VM; absent when the VM is gone. */
export function listReplicas(
  client: CloudClient,
  location: string,
  vmUUID: string,
  type: string,
  options?: ReadOptions,
): Promise<readonly ReplicaRecord[]> {
  return client.read(
    {
      family: 'vm',
      method: 'GET',
      location,
      route,
      ids: { uuid: vmUUID },
      texts: { r_type: type },
      query: { uuid: vmUUID, r_type: type },
      exact: { kind: 'vm', id: vmUUID },
      answer: rows(replicaSchema),
    },
    options,
  )
}

/**
 * Takes a snapshot of a VM's boot disk. Answers with that disk and its replicas: which of them is the new one is not said.
 * Unclear, too, when the answer is about another disk than `diskUUID`; undefined: it is not known.
 */
export async function createReplica(
  client: CloudClient,
  location: string,
  vm: { readonly uuid: string; readonly diskUUID: string | undefined },
  send: Send,
): Promise<StorageRecord> {
  const { uuid, diskUUID } = vm
  const disk = await client.change(
    {
      family: 'vm',
      method: 'POST',
      location,
      route,
      ids: { uuid },
      form: { uuid },
      exact: { kind: 'vm', id: uuid },
      answer: record(storageSchema),
    },
    send,
  )
  if (diskUUID === undefined || disk.uuid === diskUUID) return disk
  throw new CloudError({
    class: 'unclear',
    method: 'POST',
    path: `/v1/${location}/${route}`,
    text: `the answer is about disk ${disk.uuid}, the virtual machine boots from ${diskUUID}`,
    sent: true,
  })
}

/** Deletes a replica, and what was kept in it. */
export function deleteReplica(
  client: CloudClient,
  location: string,
  uuid: string,
  send: Send,
): Promise<void> {
  return client.change(
    {
      family: 'vm',
      method: 'DELETE',
      location,
      route,
      ids: { replica_uuid: uuid },
      form: { replica_uuid: uuid },
      answer: ignored,
    },
    send,
  )
}
