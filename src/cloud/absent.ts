import { CloudError } from './errors.ts'

/**
 * The record of an exact read; undefined when the service says that exactly this resource is gone, or answers with a
 * tombstone. Other errors pass.
 */
export async function orAbsent<T extends object>(read: Promise<T>): Promise<T | undefined> {
  try {
    const record = await read
    return 'deleted' in record && record.deleted === true ? undefined : record
  } catch (error) {
    if (error instanceof CloudError && error.class === 'absent') return undefined
    throw error
  }
}
