/** Every combination of values. */

type Axes = Readonly<Record<string, readonly unknown[]>>

/** All combinations of one value of each axis. */
export function* product<A extends Axes>(
  axes: A,
): Generator<{ readonly [Name in keyof A]: A[Name][number] }> {
  const names = Object.keys(axes)
  const lists = names.map((name) => axes[name] ?? [])
  const at = lists.map(() => 0)
  if (lists.some((list) => list.length === 0)) return
  for (;;) {
    const point: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) point[names[i] ?? ''] = lists[i]?.[at[i] ?? 0]
    yield point as { readonly [Name in keyof A]: A[Name][number] }
    let i = 0
    for (; i < at.length; i++) {
      const next = (at[i] ?? 0) + 1
      if (next < (lists[i]?.length ?? 0)) {
        at[i] = next
        break
      }
      at[i] = 0
    }
    if (i === at.length) return
  }
}

/** What a spec and the cloud say of one field. Hidden: the service does not show it, and it is the same or another. */
export type Field = 'unmanaged' | 'equal' | 'differs' | 'hiddenEqual' | 'hiddenDiffers'
export const FIELD: readonly Field[] = ['unmanaged', 'equal', 'differs', 'hiddenEqual', 'hiddenDiffers']

export function isHidden(field: Field): boolean {
  return field === 'hiddenEqual' || field === 'hiddenDiffers'
}

export function isEqual(field: Field): boolean {
  return field === 'equal' || field === 'hiddenEqual'
}
