/** A binary min-heap; equal ones come out in the order they went in. */
export interface Heap<T> {
  push(at: number, value: T): void
  /** The least `at` and its value, left in place. */
  peek(): { readonly at: number; readonly value: T } | undefined
  pop(): T | undefined
  clear(): void
}

interface Item<T> {
  readonly at: number
  readonly order: number
  readonly value: T
}

export function createHeap<T>(): Heap<T> {
  const items: Item<T>[] = []
  let order = 0
  const before = (a: Item<T>, b: Item<T>) => a.at < b.at || (a.at === b.at && a.order < b.order)
  return {
    push: (at, value) => {
      const item = { at, order: order++, value }
      items.push(item)
      siftUp(items, item, before)
    },
    peek: () => items[0],
    pop: () => {
      const top = items[0]
      const last = items.pop()
      if (top !== undefined && last !== undefined && last !== top) siftDown(items, last, before)
      return top?.value
    },
    clear: () => void (items.length = 0),
  }
}

/** Places `item`, whose slot is the last one, where it belongs. */
function siftUp<I>(items: I[], item: I, before: (a: I, b: I) => boolean): void {
  let at = items.length - 1
  while (at > 0) {
    const above = (at - 1) >> 1
    const parent = items[above]
    if (parent === undefined || !before(item, parent)) break
    items[at] = parent
    at = above
  }
  items[at] = item
}

/** Places `item` where it belongs, starting from the freed first slot. */
function siftDown<I>(items: I[], item: I, before: (a: I, b: I) => boolean): void {
  let at = 0
  for (;;) {
    const left = items[2 * at + 1]
    const right = items[2 * at + 2]
    if (left === undefined) break
    const rightFirst = right !== undefined && before(right, left)
    const child = rightFirst ? right : left
    if (!before(child, item)) break
    items[at] = child
    at = 2 * at + (rightFirst ? 2 : 1)
  }
  items[at] = item
}
