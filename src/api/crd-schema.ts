/** From zod to the structural schema a CustomResourceDefinition takes; whatever it cannot say is an error here. */
import { z } from 'zod'

export interface Validation {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly fieldPath?: string
}

export interface StructuralSchema {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'boolean'
  readonly description?: string
  readonly format?: 'int64'
  readonly enum?: readonly (string | number | boolean)[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly items?: StructuralSchema
  readonly properties?: Readonly<Record<string, StructuralSchema>>
  readonly additionalProperties?: StructuralSchema
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-validations'?: readonly Validation[]
}

type Json = Readonly<Record<string, unknown>>

/** Keywords in the order they are written. */
const KEYWORDS = [
  'description',
  'type',
  'format',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'maxProperties',
  'required',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-validations',
] as const
const NESTED = ['properties', 'items', 'additionalProperties'] as const
const known: ReadonlySet<string> = new Set([...KEYWORDS, ...NESTED])

/** The structural schema of a zod schema. Throws, naming the path, on what a CRD cannot say. */
export function structural(schema: z.ZodType): StructuralSchema {
  return convert(z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' }), '')
}

function convert(json: Json, path: string): StructuralSchema {
  const out: Record<string, unknown> = {}
  refuseUnknown(json, path)
  for (const keyword of KEYWORDS) {
    if (json[keyword] !== undefined) out[keyword] = json[keyword]
  }
  if (json['type'] === 'integer') bound64(out)
  if (json['type'] === 'array') out['x-kubernetes-list-type'] ??= 'atomic'
  if (json['items'] !== undefined) out['items'] = convert(json['items'] as Json, `${path}[]`)
  if (json['properties'] !== undefined) {
    out['properties'] = Object.fromEntries(
      Object.entries(json['properties'] as Record<string, Json>).map(([name, each]) => [
        name,
        convert(each, `${path}.${name}`),
      ]),
    )
  } else if (typeof json['additionalProperties'] === 'object') {
    out['additionalProperties'] = convert(json['additionalProperties'] as Json, `${path}{}`)
  }
  return out as unknown as StructuralSchema
}

function refuseUnknown(json: Json, path: string): void {
  const where = path === '' ? 'the schema' : path
  for (const keyword of Object.keys(json)) {
    if (!known.has(keyword)) throw new Error(`${where}: a CRD cannot say ${keyword}`)
  }
  if (json['type'] === undefined) throw new Error(`${where}: a CRD needs a type`)
  if (typeof json['pattern'] === 'string' && /\(\?[=!<]/.test(json['pattern'])) {
    throw new Error(`${where}: the API server's patterns know no look-around: ${json['pattern']}`)
  }
}

/** Zod bounds every integer by what a double holds; the API server has 64 bits and a format for them. */
function bound64(out: Record<string, unknown>): void {
  if (out['minimum'] === Number.MIN_SAFE_INTEGER) delete out['minimum']
  if (out['maximum'] === Number.MAX_SAFE_INTEGER) delete out['maximum']
  out['format'] = 'int64'
}
