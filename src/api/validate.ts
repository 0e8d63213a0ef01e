/** The operator's own check of a spec, by the schemas the CRDs are made from: a CRD in the cluster may be older or edited. */
import type { Kind } from './group.ts'
import { type Specs, kindSchemas } from './kinds.ts'

export type Validated<T> =
  | { readonly ok: true; readonly spec: T }
  /** `field` is dotted, below spec (`rules[0].sourcePort`); `spec` when no single field is wrong. */
  | { readonly ok: false; readonly field: string; readonly message: string }

/** The spec as its type, fields unknown to the schema left out; else the first field that is wrong, and why. */
export function validateSpec<K extends Kind>(kind: K, spec: unknown): Validated<Specs[K]> {
  const parsed = kindSchemas[kind].spec.safeParse(spec)
  if (parsed.success) return { ok: true, spec: parsed.data as Specs[K] }
  const issue = parsed.error.issues[0]
  return { ok: false, field: fieldName(issue?.path ?? []), message: issue?.message ?? 'invalid' }
}

function fieldName(path: readonly PropertyKey[]): string {
  const name = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
  return name === '' ? 'spec' : name
}
