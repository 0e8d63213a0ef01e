/** Notices two changes in flight at once on the same resource: a careful client never does that. */

export interface Overlaps {
  /** Enters a change that names these ids; returns the function that takes it out again. */
  enter(label: string, ids: readonly string[]): () => void
  /** 'METHOD path: id' for each that met another one. */
  seen(): string[]
}

const namingFields = [
  'uuid',
  'storage_uuid',
  'disk_uuid',
  'vm_uuid',
  'target_uuid',
  'address',
  'assigned_to',
  'target',
]

/** The ids of resources that the parameters name. */
export function namedIds(...sources: readonly Readonly<Record<string, unknown>>[]): string[] {
  const values = sources.flatMap((source) => namingFields.map((field) => source[field]))
  return [...new Set(values.filter((value) => typeof value === 'string' && value !== ''))] as string[]
}

export function createOverlaps(): Overlaps {
  const inFlight = new Map<string, number>()
  const seen: string[] = []
  return {
    enter: (label, ids) => {
      for (const id of ids) {
        const others = inFlight.get(id) ?? 0
        if (others > 0) seen.push(`${label}: ${id}`)
        inFlight.set(id, others + 1)
      }
      return () => {
        for (const id of ids) {
          const others = (inFlight.get(id) ?? 1) - 1
          if (others > 0) inFlight.set(id, others)
          else inFlight.delete(id)
        }
      }
    },
    seen: () => [...seen],
  }
}
