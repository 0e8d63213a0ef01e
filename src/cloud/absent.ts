import { CloudError } from './errors.ts'

/** The record of an exact read; undefined when the service says that exactly this resource is gone. Other errors pass. */
export async function orAbsent<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof CloudError && error.class === 'absent') return undefined
    throw error
  }
}
