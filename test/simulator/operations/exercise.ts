/**
 * One exercise per operation: it does what the operation needs, carries it out, and asserts on the answer of its success
 * and on what it changed. The test that runs them checks in the call log that the operation was really carried out.
 */
import { operations, type Family, type OperationName } from '../operations.ts'
import { idOf, type Api, type Json, type Profile } from '../kit.ts'

/** What an exercise is given: the service as seen from one location. */
export interface Scene {
  api: Api
  profile: Profile
}

export type Exercise = (scene: Scene) => Promise<void>

export type Exercises<Name extends OperationName = OperationName> = Readonly<Record<Name, Exercise>>

/** The same service where every path that can has the slug before it; without a slug the paths are as they are. */
export function located(api: Api, slug: string | undefined, profile: Profile): Api {
  if (slug === undefined) return api
  const at = (path: string): string => (takesSlug(path, profile) ? `/${slug}${path}` : path)
  return {
    ...api,
    get: (path) => api.get(at(path)),
    form: (method, path, fields) => api.form(method, at(path), fields),
    json: (method, path, body) => api.json(method, at(path), body),
    bare: (method, path) => api.bare(method, at(path)),
    raw: (method, path, contentType, body) => api.raw(method, at(path), contentType, body),
    as: (apiKey) => located(api.as(apiKey), slug, profile),
  }
}

const asDeployed: readonly Family[] = ['networks', 'load balancers']

function takesSlug(path: string, profile: Profile): boolean {
  const pathname = path.replace(/\?.*/, '')
  return operations.some(
    ({ path: pattern, slug, family }) =>
      (slug || (profile === 'extended' && asDeployed.includes(family))) && matches(pattern, pathname),
  )
}

/** Whether a path, without version and slug, is one of the pattern. */
export function matches(pattern: string, path: string): boolean {
  const parts = pattern.split('/')
  const segments = path.split('/')
  return (
    parts.length === segments.length &&
    parts.every((part, index) => part.startsWith(':') || part === segments[index])
  )
}

/** The ids of records. */
export function idsOf(records: readonly Json[], field = 'uuid'): string[] {
  return records.map((record) => idOf(record, field))
}
