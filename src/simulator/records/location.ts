/** Locations and host pools. */
import type { Location, Pool } from '../state/locations.ts'
import type { Profile, World } from '../state/model.ts'

export function locationRecord(location: Location, order: number, profile: Profile): Record<string, unknown> {
  return {
    display_name: location.displayName,
    is_default: location.isDefault,
    is_preferred: location.isPreferred,
    description: location.description,
    order_nr: order,
    slug: location.slug,
    country_code: location.countryCode,
    ...(profile === 'extended' && { is_published: true }),
  }
}

export function poolRecord(pool: Pool, { profile, rules }: World): Record<string, unknown> {
  return {
    uuid: pool.uuid,
    name: pool.name,
    description: pool.description,
    is_default_designated: pool.isDefault,
    created_at: '2024-01-01 00:00:00',
    updated_at: '2024-01-01 00:00:00',
    ...(profile === 'extended' && {
      guest_limits: { max_vcpu: rules.largestVcpu, max_memory_mb: rules.largestRamMib },
    }),
  }
}
