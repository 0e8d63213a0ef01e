/** The fixed parts of the simulated service: locations, host pools and operating system images. */
import { Refusal } from './refusal.ts'

export interface Location {
  slug: string
  displayName: string
  countryCode: string
  description: string
  isDefault: boolean
  isPreferred: boolean
  pools: Pool[]
}

export interface Pool {
  uuid: string
  name: string
  description: string
  isDefault: boolean
}

export const locations: readonly Location[] = [
  {
    slug: 'jkt01',
    displayName: 'Jakarta 1',
    countryCode: 'IDN',
    description: 'First data centre',
    isDefault: true,
    isPreferred: true,
    pools: [
      {
        uuid: '0a0d1b1c-7d9b-4b4a-9a52-2e8d10a7f001',
        name: 'general',
        description: 'General purpose',
        isDefault: true,
      },
      {
        uuid: '0a0d1b1c-7d9b-4b4a-9a52-2e8d10a7f002',
        name: 'fast',
        description: 'High frequency',
        isDefault: false,
      },
    ],
  },
  {
    slug: 'sgp01',
    displayName: 'Singapore 1',
    countryCode: 'SGP',
    description: 'Second data centre',
    isDefault: false,
    isPreferred: false,
    pools: [
      {
        uuid: '0a0d1b1c-7d9b-4b4a-9a52-2e8d10a7f003',
        name: 'general',
        description: 'General purpose',
        isDefault: true,
      },
    ],
  },
  {
    slug: 'tll01',
    displayName: 'Tallinn 1',
    countryCode: 'EST',
    description: 'Third data centre',
    isDefault: false,
    isPreferred: false,
    pools: [
      {
        uuid: '0a0d1b1c-7d9b-4b4a-9a52-2e8d10a7f004',
        name: 'general',
        description: 'General purpose',
        isDefault: true,
      },
    ],
  },
]

export const defaultLocation = 'jkt01'

export function findLocation(slug: string): Location | undefined {
  return locations.find((location) => location.slug === slug)
}

/** The pool of that id in the location, or the location's default pool. */
export function poolFor(slug: string, uuid: string | undefined): Pool {
  const pools = findLocation(slug)?.pools ?? []
  const pool = pools.find((candidate) => (uuid === undefined ? candidate.isDefault : candidate.uuid === uuid))
  if (pool === undefined)
    throw new Refusal(`No such host pool: ${uuid ?? ''}`, { field: 'designated_pool_uuid' })
  return pool
}

const images: Readonly<Record<string, readonly string[]>> = {
  ubuntu: ['20.04', '22.04', '24.04'],
  debian: ['11', '12'],
  centos: ['7', '8', '9-stream'],
  almalinux: ['8', '9'],
  rocky: ['8', '9'],
}

/** Size of every operating system image in GiB. */
export const imageSizeGib = 5

const imageNames = Object.entries(images).flatMap(([os, versions]) =>
  versions.map((version) => `${os}_${version}`),
)

/** Checks an operating system and version against the list; a refusal names the list. */
export function checkImage(os: string, version: string, field: string): void {
  if (imageNames.includes(`${os}_${version}`)) return
  throw new Refusal(`Unknown image ${os}_${version}, must be one of: ${imageNames.join(', ')}`, { field })
}

/** The parts of a name of the form <os>_<version>. */
export function splitImage(name: string, field: string): { os: string; version: string } {
  const at = name.indexOf('_')
  const os = name.slice(0, Math.max(at, 0))
  const version = name.slice(at + 1)
  checkImage(os, version, field)
  return { os, version }
}
