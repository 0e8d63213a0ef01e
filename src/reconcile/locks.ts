/** In-process exclusion: one mutating call at a time for what it names, one open create where results carry no name. */
export interface Locks {
  /** True when `name` is free or already held by `holder`. Otherwise false, and `wake` is called once it is released. */
  take(name: string, holder: string, wake: () => void): boolean
  /** Releases everything `holder` holds. */
  releaseAll(holder: string): void
}

/** The lock of what has this cloud id: a machine, a disk to boot from, a load balancer. */
export function lockOf(id: string): string {
  return `cloud/${id}`
}

export function createLocks(): Locks {
  const holders = new Map<string, string>()
  const waiting = new Map<string, Map<string, () => void>>()
  return {
    take(name, holder, wake) {
      const current = holders.get(name)
      if (current === undefined || current === holder) {
        holders.set(name, holder)
        return true
      }
      const queue = waiting.get(name) ?? new Map<string, () => void>()
      waiting.set(name, queue.set(holder, wake))
      return false
    },
    releaseAll(holder) {
      for (const [name, current] of holders) {
        if (current !== holder) continue
        holders.delete(name)
        const queue = waiting.get(name)
        waiting.delete(name)
        for (const wake of queue?.values() ?? []) wake()
      }
    },
  }
}
