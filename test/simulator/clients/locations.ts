/** Locations. */
import { z } from 'zod'
import { many, shape, whole } from './shapes.ts'
import type { Wire } from './wire.ts'

export const locationOperations = ['GET /config/locations'] as const

const location = shape(
  {
    display_name: z.string(),
    is_default: z.boolean(),
    is_preferred: z.boolean(),
    description: z.string(),
    order_nr: whole,
    slug: z.string().min(1),
    country_code: z.string(),
  },
  { adds: { is_published: z.boolean() } },
)

export function locationsClient({ send, dialect }: Wire) {
  return { list: async () => many(await send('GET /config/locations'), dialect, location) }
}
