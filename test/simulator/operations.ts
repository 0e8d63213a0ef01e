/** Every operation of the service, family by family, as its interface lists them: the tests count with this table. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Family =
  | 'user'
  | 'tokens'
  | 'locations'
  | 'machines'
  | 'replicas'
  | 'machine disks'
  | 'disks'
  | 'object storage'
  | 'networks'
  | 'floating IPs'
  | 'load balancers'

/** Method; path after /v1; family; whether a location slug may stand before the path. */
type Row = readonly [Method, string, Family, 'slug' | 'no slug']

const table = [
  ['GET', '/user-resource/user', 'user', 'no slug'],
  ['PATCH', '/user-resource/user/profile', 'user', 'no slug'],

  ['GET', '/user-resource/token/list', 'tokens', 'no slug'],
  ['POST', '/user-resource/token', 'tokens', 'no slug'],
  ['PATCH', '/user-resource/token', 'tokens', 'no slug'],
  ['DELETE', '/user-resource/token', 'tokens', 'no slug'],

  ['GET', '/config/locations', 'locations', 'no slug'],

  ['GET', '/user-resource/vm', 'machines', 'slug'],
  ['GET', '/user-resource/vm/list', 'machines', 'slug'],
  ['POST', '/user-resource/vm', 'machines', 'slug'],
  ['PATCH', '/user-resource/vm', 'machines', 'slug'],
  ['DELETE', '/user-resource/vm', 'machines', 'slug'],
  ['PATCH', '/user-resource/vm/user', 'machines', 'slug'],
  ['POST', '/user-resource/vm/start', 'machines', 'slug'],
  ['POST', '/user-resource/vm/stop', 'machines', 'slug'],
  ['POST', '/user-resource/vm/rescue_start', 'machines', 'slug'],
  ['POST', '/user-resource/vm/reinstall', 'machines', 'slug'],
  ['POST', '/user-resource/vm/backup', 'machines', 'slug'],
  ['POST', '/user-resource/vm/clone', 'machines', 'slug'],
  ['POST', '/user-resource/vm/rebuild', 'machines', 'slug'],
  ['GET', '/user-resource/host_pool/list', 'machines', 'slug'],
  ['DELETE', '/user-resource/vm/ip/public', 'machines', 'slug'],
  ['POST', '/user-resource/vm/ip/public', 'machines', 'slug'],

  ['GET', '/user-resource/vm/replica', 'replicas', 'slug'],
  ['POST', '/user-resource/vm/replica', 'replicas', 'slug'],
  ['DELETE', '/user-resource/vm/replica', 'replicas', 'slug'],

  ['POST', '/user-resource/vm/storage', 'machine disks', 'slug'],
  ['PATCH', '/user-resource/vm/storage', 'machine disks', 'slug'],
  ['DELETE', '/user-resource/vm/storage', 'machine disks', 'slug'],
  ['POST', '/user-resource/vm/storage/attach', 'machine disks', 'slug'],
  ['POST', '/user-resource/vm/storage/detach', 'machine disks', 'slug'],

  ['POST', '/storage/disks', 'disks', 'slug'],
  ['GET', '/storage/disks', 'disks', 'slug'],
  ['GET', '/storage/disks/:uuid', 'disks', 'slug'],
  ['PATCH', '/storage/disks/:uuid', 'disks', 'slug'],
  ['DELETE', '/storage/disks/:uuid', 'disks', 'slug'],

  ['GET', '/storage/api/s3', 'object storage', 'no slug'],
  ['PUT', '/storage/bucket', 'object storage', 'no slug'],
  ['PATCH', '/storage/bucket', 'object storage', 'no slug'],
  ['DELETE', '/storage/bucket', 'object storage', 'no slug'],
  ['GET', '/storage/bucket', 'object storage', 'no slug'],
  ['GET', '/storage/bucket/list', 'object storage', 'no slug'],
  ['GET', '/storage/user', 'object storage', 'no slug'],
  ['GET', '/storage/user/keys', 'object storage', 'no slug'],
  ['POST', '/storage/user/keys', 'object storage', 'no slug'],
  ['DELETE', '/storage/user/keys', 'object storage', 'no slug'],

  ['GET', '/network/networks', 'networks', 'no slug'],
  ['GET', '/network/network/:uuid', 'networks', 'no slug'],
  ['POST', '/network/network', 'networks', 'no slug'],
  ['PUT', '/network/network/:uuid/default', 'networks', 'no slug'],
  ['PATCH', '/network/network/:uuid', 'networks', 'no slug'],
  ['DELETE', '/network/network/:uuid', 'networks', 'no slug'],

  ['POST', '/network/ip_addresses', 'floating IPs', 'slug'],
  ['GET', '/network/ip_addresses', 'floating IPs', 'slug'],
  ['GET', '/network/ip_addresses/:address', 'floating IPs', 'slug'],
  ['PATCH', '/network/ip_addresses/:address', 'floating IPs', 'slug'],
  ['DELETE', '/network/ip_addresses/:address', 'floating IPs', 'slug'],
  ['POST', '/network/ip_addresses/:address/assign', 'floating IPs', 'slug'],
  ['POST', '/network/ip_addresses/:address/unassign', 'floating IPs', 'slug'],

  ['GET', '/network/load_balancers', 'load balancers', 'no slug'],
  ['POST', '/network/load_balancers', 'load balancers', 'no slug'],
] as const satisfies readonly Row[]

type NameOf<T> = T extends readonly [infer M extends string, infer P extends string, ...unknown[]]
  ? `${M} ${P}`
  : never

/** 'METHOD path' of an operation of the interface. */
export type OperationName = NameOf<(typeof table)[number]>

export interface Operation {
  name: OperationName
  method: Method
  path: string
  family: Family
  slug: boolean
}

export const operations: readonly Operation[] = table.map(([method, path, family, slug]) => ({
  name: `${method} ${path}` as OperationName,
  method,
  path,
  family,
  slug: slug === 'slug',
}))

/** A second form of an operation that is counted above: its path is the same, its parameters are not. */
export const variants = [
  { of: 'POST /user-resource/vm/reinstall', takes: 'base_os_image', inPlaceOf: ['os_name', 'os_version'] },
] as const satisfies readonly { of: OperationName; takes: string; inPlaceOf: readonly string[] }[]

/** Named by the interface, for which it shows neither request nor answer; both take a slug. */
export const gaps = ['/user-resource/billing_resources', '/user-resource/resource_billing'] as const

/** Served in the extended profile only, and why although the interface has none of them. */
export const extendedOnly: readonly { name: string; reason: string }[] = [
  ...['GET', 'PATCH', 'DELETE'].map((method) => ({
    name: `${method} /storage/disk/:uuid`,
    reason: 'deployments answer for one disk at the singular path too',
  })),
  ...[
    'GET /network/load_balancers/:uuid',
    'PATCH /network/load_balancers/:uuid',
    'DELETE /network/load_balancers/:uuid',
    'POST /network/load_balancers/:uuid/targets',
    'DELETE /network/load_balancers/:uuid/targets/:target',
    'POST /network/load_balancers/:uuid/forwarding_rules',
    'DELETE /network/load_balancers/:uuid/forwarding_rules/:rule',
    'PUT /network/load_balancers/:uuid/billing_account',
  ].map((name) => ({
    name,
    reason: 'a load balancer could be neither changed nor deleted without it, and deployments have it',
  })),
]
