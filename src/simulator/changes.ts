/** Changes behind the operator's back: what a person does in the console, or what happens by itself. */
import type { Caller, World } from './state/model.ts'

/** Each is carried out for the object's own account. */
export type Change = { do: 'putObjects'; bucket: string; objects: number; sizeBytes?: number }

export interface ChangeResult {
  /** Ids of what was made. */
  ids: string[]
}

export function applyChange(world: World, change: Change, now: number): ChangeResult {
  const bucket = world.buckets.get(change.bucket)
  if (bucket === undefined) throw new Error(`no such bucket: ${change.bucket}`)
  bucket.objects = change.objects
  bucket.modifiedAt = now
  bucket.sizeBytes = change.sizeBytes ?? change.objects * 1024
  return { ids: [] }
}

export type { Caller }
