/** The cached objects of one resource: frozen, indexed, in the order of the server's versions. Makes no requests. */
import { isDeepStrictEqual } from 'node:util'
import { objectKey, type KubeObject } from './object.ts'
import { createIndex, type Index } from './store-index.ts'
import { isOlder } from './versions.ts'

/** `deleted` carries the last known state; after a relist that may be older than the deletion itself. */
export interface Change<T extends KubeObject> {
  readonly kind: 'added' | 'changed' | 'deleted'
  readonly key: string
  readonly object: T
  readonly previous?: T
}

export type Indices<T extends KubeObject> = Readonly<Record<string, (object: T) => readonly string[]>>

/** A whole list on its way into the store. */
export interface Replacement<T extends KubeObject> {
  add(objects: readonly T[]): void
  /** What no page had is deleted; the store has now reached the list's version. */
  finish(): void
}

/** Objects must come frozen (see project.ts). A same name with another uid is seen as deleted, then added. */
export class Store<T extends KubeObject> {
  readonly #objects = new Map<string, T>()
  readonly #indices = new Map<string, Index<T>>()
  readonly #listeners = new Set<(change: Change<T>) => void>()
  #version: string | undefined
  #epoch = 0

  constructor(indices: Indices<T> = {}) {
    for (const [name, values] of Object.entries(indices)) this.#indices.set(name, createIndex(values))
  }

  /** Whether the first list is in. */
  get synced(): boolean {
    return this.#version !== undefined
  }

  /** Rises by one each time the server's versions went back (etcd restored) and everything was read anew. */
  get epoch(): number {
    return this.#epoch
  }

  get size(): number {
    return this.#objects.size
  }

  /** `key` is namespace/name. */
  get(key: string): T | undefined {
    return this.#objects.get(key)
  }

  list(): Iterable<T> {
    return this.#objects.values()
  }

  /** Objects whose index gives `value`; throws when there is no index of that name. */
  byIndex(index: string, value: string): readonly T[] {
    const found = this.#indices.get(index)
    if (found === undefined) throw new Error(`the store has no index ${index}`)
    return found.get(value)
  }

  /** The resourceVersion the stream has reached, bookmarks included. */
  lastSeenVersion(): string | undefined {
    return this.#version
  }

  /** Whether the stream has reached `resourceVersion`: what was written up to there has been seen. */
  atLeast(resourceVersion: string): boolean {
    return this.#version !== undefined && !isOlder(this.#version, resourceVersion)
  }

  /** Calls back in the same turn as each change; returns the function that ends it. */
  subscribe(listener: (change: Change<T>) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** One event of the stream. False, and nothing done, when its version goes back. */
  apply(kind: 'put' | 'deleted', object: T): boolean {
    if (!this.advance(object.metadata.resourceVersion)) return false
    if (kind === 'put') this.#put(object)
    else this.#delete(object)
    return true
  }

  /** A bookmark. False, and nothing done, when it goes back. */
  advance(resourceVersion: string): boolean {
    if (this.#version !== undefined && isOlder(resourceVersion, this.#version)) return false
    this.#version = resourceVersion
    return true
  }

  /**
   * Starts to take over a list of version `resourceVersion`, page by page; its changes show at once. With `anew` the
   * version may go back and every object counts as changed: equal versions need not mean equal objects.
   */
  replace(resourceVersion: string, anew: boolean): Replacement<T> {
    const seen = new Set<string>()
    return {
      add: (objects) => {
        for (const object of objects) {
          seen.add(objectKey(object))
          if (anew || !this.#has(object)) this.#put(object)
        }
      },
      finish: () => {
        if (anew) this.#epoch += 1
        this.#version = resourceVersion
        const missing = [...this.#objects.values()].filter((object) => !seen.has(objectKey(object)))
        for (const object of missing) this.#delete(object)
      },
    }
  }

  /** A restored server gives versions out once more: equal ones are no proof. */
  #has(object: T): boolean {
    const known = this.#objects.get(objectKey(object))
    return (
      known?.metadata.resourceVersion === object.metadata.resourceVersion && isDeepStrictEqual(known, object)
    )
  }

  #put(object: T): void {
    const key = objectKey(object)
    const known = this.#objects.get(key)
    if (known !== undefined && known.metadata.uid !== object.metadata.uid) this.#delete(known)
    const previous = this.#objects.get(key)
    this.#objects.set(key, object)
    for (const index of this.#indices.values()) index.move(previous, object)
    if (previous === undefined) this.#tell({ kind: 'added', key, object })
    else this.#tell({ kind: 'changed', key, object, previous })
  }

  #delete(object: T): void {
    const key = objectKey(object)
    const previous = this.#objects.get(key)
    if (previous === undefined) return
    this.#objects.delete(key)
    for (const index of this.#indices.values()) index.move(previous, undefined)
    this.#tell({ kind: 'deleted', key, object, previous })
  }

  #tell(change: Change<T>): void {
    for (const listener of this.#listeners) listener(change)
  }
}
