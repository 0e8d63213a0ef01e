/** The cached objects of one resource: frozen, indexed, in the order of the server's versions. Makes no requests. */
import type { KubeObject } from './object.ts'

/** `deleted` carries the last known state; after a relist that may be older than the deletion itself. */
export interface Change<T extends KubeObject> {
  readonly kind: 'added' | 'changed' | 'deleted'
  readonly key: string
  readonly object: T
  readonly previous?: T
}

export type Indices<T extends KubeObject> = Readonly<Record<string, (object: T) => readonly string[]>>

export class Store<T extends KubeObject> {
  constructor(indices: Indices<T> = {}) {
    void indices
  }

  /** Whether the first list is in. */
  get synced(): boolean {
    return false
  }

  /** Rises by one each time the server's versions went back (etcd restored) and everything was read anew. */
  get epoch(): number {
    return 0
  }

  get size(): number {
    return 0
  }

  /** `key` is namespace/name. */
  get(key: string): T | undefined {
    void key
    return undefined
  }

  list(): Iterable<T> {
    return []
  }

  byIndex(index: string, value: string): readonly T[] {
    void [index, value]
    return []
  }

  /** The resourceVersion the stream has reached, bookmarks included. */
  lastSeenVersion(): string | undefined {
    return undefined
  }

  /** Whether the stream has reached `resourceVersion`: what was written up to there has been seen. */
  atLeast(resourceVersion: string): boolean {
    void resourceVersion
    return false
  }

  /** Calls back in the same turn as each change; returns the function that ends it. */
  subscribe(listener: (change: Change<T>) => void): () => void {
    void listener
    return () => undefined
  }
}
