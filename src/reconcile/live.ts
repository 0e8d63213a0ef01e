/**
 * The objects of one kind as best known: the store, and over it the answers to our own writes that the watch has not
 * shown yet. Without it a pass would act on its own past.
 */
import type { Store, Indices } from '../kube/store.ts'
import { isOlder } from '../kube/versions.ts'
import { keyOf, type ObjectStore } from './environment.ts'
import type { CloudResource } from './kind.ts'

interface Written {
  readonly object: CloudResource
  readonly epoch: number
  /** A write on top of it conflicted. */
  doubted?: boolean
}

export class LiveStore implements ObjectStore {
  readonly #store: Store<CloudResource>
  readonly #indices: Indices<CloudResource>
  readonly #written = new Map<string, Written>()
  /** Version of our latest write by UID: what the watch shows up to there is our own doing. */
  readonly #lastWritten = new Map<string, string>()

  constructor(store: Store<CloudResource>, indices: Indices<CloudResource>) {
    this.#store = store
    this.#indices = indices
  }

  /** Notes the server's answer to a write of ours. */
  wrote(object: CloudResource): void {
    this.#lastWritten.set(object.metadata.uid, object.metadata.resourceVersion)
    if (this.#store.atLeast(object.metadata.resourceVersion)) return
    this.#written.set(keyOf(object), { object, epoch: this.#store.epoch })
  }

  /**
   * A write on top of this state conflicted. Once, the watch may be late; the second time the server has another history (it was
   * restored), and ours is not believed any more.
   */
  conflicted(object: CloudResource): void {
    const written = this.#written.get(keyOf(object))
    if (written?.object.metadata.resourceVersion !== object.metadata.resourceVersion) return
    if (written.doubted === true) this.#written.delete(keyOf(object))
    written.doubted = true
  }

  /** Whether this state of an object came from a write of ours: a foreign write in between would have conflicted. */
  isOwn(object: CloudResource): boolean {
    const last = this.#lastWritten.get(object.metadata.uid)
    return last !== undefined && !isOlder(last, object.metadata.resourceVersion)
  }

  /** Forgets an object that is gone. */
  forget(uid: string): void {
    this.#lastWritten.delete(uid)
  }

  get(key: string): CloudResource | undefined {
    return this.#overlay(key) ?? this.#store.get(key)
  }

  *list(): Iterable<CloudResource> {
    for (const object of this.#store.list()) yield this.#overlay(keyOf(object)) ?? object
  }

  byIndex(index: string, value: string): readonly CloudResource[] {
    const found = this.#store.byIndex(index, value).filter((each) => this.#overlay(keyOf(each)) === undefined)
    const extract = this.#indices[index]
    if (extract === undefined || this.#written.size === 0) return found
    const own: CloudResource[] = []
    for (const key of [...this.#written.keys()]) {
      const object = this.#overlay(key)
      if (object !== undefined && extract(object).includes(value)) own.push(object)
    }
    return [...found, ...own]
  }

  atLeast(resourceVersion: string): boolean {
    return this.#store.atLeast(resourceVersion)
  }

  /** Our answer while the watch lags behind it; an object the stream knows under another UID wins. */
  #overlay(key: string): CloudResource | undefined {
    const written = this.#written.get(key)
    if (written === undefined) return undefined
    const own = written.object
    const seen = this.#store.get(key)
    const overtaken = this.#store.atLeast(own.metadata.resourceVersion)
    const replaced = seen !== undefined && seen.metadata.uid !== own.metadata.uid
    // The server's versions went back: what was written before that may never have been.
    const undone = this.#store.epoch !== written.epoch
    if (!overtaken && !replaced && !undone) return own
    this.#written.delete(key)
    return undefined
  }
}
