/** What the CRDs refuse: specs that break the schema, edits of frozen fields, sizes that shrink. */
import { kindSchemas } from '../../../src/api/kinds.ts'
import { validateSpec } from '../../../src/api/validate.ts'
import { at, isSame, type ModelObject } from './objects.ts'
import { invalid } from './refusal.ts'
import type { ModelResource } from './resources.ts'

/** The spec as it is stored; throws a refusal. An unchanged spec is never refused. */
export function checkSpec(
  resource: ModelResource,
  before: ModelObject | undefined,
  spec: unknown,
  name = before?.metadata.name ?? '',
): Readonly<Record<string, unknown>> {
  const { ours } = resource
  if (ours === undefined) throw new Error(`${resource.kind} has no schema here`)
  if (before !== undefined && isSame(before.spec, spec)) return before.spec ?? {}
  const checked = validateSpec(ours, spec)
  if (!checked.ok) throw invalid(resource, name, `spec.${checked.field}`, checked.message)
  // What the parser made of it has prototypes and undefined of its own.
  const next = JSON.parse(JSON.stringify(checked.spec)) as Readonly<Record<string, unknown>>
  if (before !== undefined) checkEdit(resource, before, next)
  return next
}

function checkEdit(
  resource: ModelResource,
  before: ModelObject,
  next: Readonly<Record<string, unknown>>,
): void {
  const { ours } = resource
  if (ours === undefined) return
  const { frozen, growOnly } = kindSchemas[ours]
  const bound = before.status?.['id'] !== undefined || before.status?.['operation'] !== undefined
  for (const { field, instead } of bound ? frozen : []) {
    if (!isSame(at(before.spec, field), at(next, field)))
      throw invalid(resource, before.metadata.name, `spec.${field}`, `${field} cannot be changed: ${instead}`)
  }
  for (const { field, existing } of growOnly) {
    const [old, wanted, there] = [at(before.spec, field), at(next, field), at(before.status, existing)]
    const shrinks = typeof wanted === 'number' && typeof there === 'number' && wanted < there
    if (shrinks && typeof old === 'number' && wanted < old)
      throw invalid(resource, before.metadata.name, `spec.${field}`, `${field} can only grow: it is ${there}`)
  }
}
