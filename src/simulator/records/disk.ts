/** Block storage disks. */
import type { Disk, Profile } from '../state/model.ts'
import { diskTime } from '../time.ts'

/** Snapshots are part of get and list results only. */
export function diskRecord(disk: Disk, profile: Profile, withSnapshots: boolean): Record<string, unknown> {
  return {
    uuid: disk.uuid,
    status: disk.deletedAt === null ? 'Active' : 'Deleted',
    user_id: disk.userId,
    billing_account_id: disk.billingAccount,
    size_gb: disk.sizeGib,
    source_image_type: disk.sourceType,
    ...(disk.source !== null && { source_image: disk.source }),
    ...(profile === 'extended' && disk.displayName !== null && { display_name: disk.displayName }),
    ...(withSnapshots && {
      snapshots: disk.snapshots.map((snapshot) => ({
        uuid: snapshot.uuid,
        sizeGb: snapshot.sizeGib,
        created_at: diskTime(snapshot.createdAt),
        disk_uuid: disk.uuid,
      })),
    }),
    created_at: diskTime(disk.createdAt),
    updated_at: diskTime(disk.updatedAt),
  }
}
