/** A service for the clients of this folder to be tried on: one way for each profile and path form. */
import { expect } from 'vitest'
import { open, type Profile } from '../kit.ts'
import type { RunningSimulator, SimulatorOptions } from '../../../src/simulator/server.ts'
import { connect, Refused, type Wire } from './wire.ts'

export interface Way {
  profile: Profile
  /** Slug in the path; empty: the path form without one. */
  slug: string
}

export const bothForms: readonly Way[] = [
  { profile: 'documented', slug: '' },
  { profile: 'documented', slug: 'sgp01' },
  { profile: 'extended', slug: '' },
  { profile: 'extended', slug: 'sgp01' },
]

/** Of families that the interface does not call location-specific; deployments serve them behind a slug too. */
export const slugAsDeployed: readonly Way[] = bothForms.filter(
  ({ profile, slug }) => slug === '' || profile === 'extended',
)

export const withoutSlug: readonly Way[] = bothForms.filter(({ slug }) => slug === '')

export interface ServiceUnderTest {
  simulator: RunningSimulator
  /** Of the family under test: in the path form of the way, counting operations. */
  wire: Wire
  /** The same in another location. */
  elsewhere: Wire
  /** For other families: with a slug only where the profile has one for every family. */
  aside: Wire
  /** As wire, with another key. */
  as: (apiKey: string) => Wire
  called: ReadonlySet<string>
  billingAccount: number
}

export async function service(
  { profile, slug }: Way,
  options: SimulatorOptions = {},
): Promise<ServiceUnderTest> {
  const { simulator } = await open({ profile, ...options })
  const called = new Set<string>()
  const { url: baseUrl, apiKey } = simulator
  const common = {
    baseUrl,
    apiKey,
    dialect: profile === 'documented' ? ('documented' as const) : ('deployed' as const),
  }
  const onSuccess = (operation: string): void => {
    called.add(operation)
  }
  return {
    simulator,
    wire: connect({ ...common, slug, onSuccess }),
    elsewhere: connect({ ...common, slug: 'tll01' }),
    aside: connect({ ...common, slug: profile === 'extended' ? slug : '' }),
    as: (other) => connect({ ...common, apiKey: other, slug, onSuccess }),
    called,
    billingAccount: 2001,
  }
}

/** The promise is refused with a 4xx whose text matches. */
export async function refused(answer: Promise<unknown>, text: RegExp): Promise<void> {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Refused)) throw new Error(`not refused: ${String(error)}`)
  expect(error.status).toBeGreaterThanOrEqual(400)
  expect(error.status).toBeLessThan(500)
  expect(JSON.stringify(error.body)).toMatch(text)
}

/** Every operation of the family has succeeded at least once. */
export function expectCalled(called: ReadonlySet<string>, operations: readonly string[]): void {
  expect(operations.filter((operation) => !called.has(operation))).toEqual([])
}
