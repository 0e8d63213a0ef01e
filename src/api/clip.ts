/** Makes a status fit its schema's bounds: an over-long text must never keep an id from being stored. */
import { type StructuralSchema, structural } from './crd-schema.ts'
import type { Kind } from './group.ts'
import { type Statuses, kindSchemas } from './kinds.ts'

const statusSchemas = Object.fromEntries(
  Object.values(kindSchemas).map(({ kind, status }) => [kind, structural(status)]),
) as Readonly<Record<Kind, StructuralSchema>>

/** The status with strings cut and lists shortened to what the CRD accepts; fields the schema lacks are left out. */
export function clipStatus<K extends Kind>(kind: K, status: Statuses[K]): Statuses[K] {
  return clip(statusSchemas[kind], status) as Statuses[K]
}

function clip(schema: StructuralSchema, value: unknown): unknown {
  if (typeof value === 'string') return clipText(value, schema.maxLength ?? Infinity)
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    const { items: each } = schema
    return items.slice(0, schema.maxItems).map((item) => (each === undefined ? item : clip(each, item)))
  }
  if (typeof value === 'object' && value !== null) return clipFields(schema, value)
  return value
}

function clipFields(schema: StructuralSchema, value: object): Record<string, unknown> {
  const { properties, additionalProperties, maxProperties } = schema
  const fields: [string, unknown][] = []
  for (const [name, field] of Object.entries(value).slice(0, maxProperties) as [string, unknown][]) {
    const each = properties === undefined ? additionalProperties : properties[name]
    if (each !== undefined && field !== undefined) fields.push([name, clip(each, field)])
  }
  return Object.fromEntries(fields)
}

/** Cut between code points; the last character says that something is missing. */
function clipText(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
