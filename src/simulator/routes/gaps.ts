/** Paths that the interface names without any request or answer: nothing can be simulated, and that is what they say. */
import type { Route } from '../http/route.ts'
import { refuse } from '../state/refusal.ts'

const paths = ['/user-resource/billing_resources', '/user-resource/resource_billing']

export const gapRoutes: readonly Route[] = paths.map((path) => ({
  method: 'any',
  path,
  family: 'vm',
  slug: 'both',
  reads: 'none',
  gap: true,
  changes: false,
  handle: () => refuse(`${path.slice(path.lastIndexOf('/') + 1)} is not simulated`, { status: 501 }),
}))
