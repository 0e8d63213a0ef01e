/** Objects of the modelled API server: plain values, never changed in place. */
export interface ModelMeta {
  readonly name: string
  readonly namespace?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation?: number
  readonly creationTimestamp: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly finalizers?: readonly string[]
  readonly annotations?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly unknown[]
}

export interface ModelObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ModelMeta
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** RFC 7386: null takes a field away, everything but an object replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(merged, name)
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const texts = new WeakMap<object, string>()

/** As JSON; worked out once for each object, as none is changed in place. */
export function textOf(object: ModelObject): string {
  const known = texts.get(object)
  if (known !== undefined) return known
  const text = JSON.stringify(object)
  texts.set(object, text)
  return text
}

/** Whether two JSON values are equal, the order of their fields aside. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((each, index) => isSame(each, b[index]))
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length && names.every((name) => name in b && isSame(a[name], b[name]))
  )
}

/** The value at a dotted path. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value)
}
