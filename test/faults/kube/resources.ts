/** The resources of the modelled API server and how each behaves. */
import { GROUP, KINDS, VERSION } from '../../../src/api/group.ts'
import type { Kind } from '../../../src/api/group.ts'
import { kindSchemas } from '../../../src/api/kinds.ts'

export interface ModelResource {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
  /** One of ours: schema, generation, a status of its own with the CRD's default. */
  readonly ours?: Kind
}

export const RESOURCES: readonly ModelResource[] = [
  ...KINDS.map((kind) => ({
    group: GROUP,
    version: VERSION,
    plural: kindSchemas[kind].plural,
    kind,
    namespaced: true,
    ours: kind,
  })),
  { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false },
  { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true },
  { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
  { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event', namespaced: true },
  { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true },
  {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    namespaced: false,
  },
]

export interface Target {
  readonly resource: ModelResource
  readonly namespace: string
  readonly name: string | undefined
  readonly sub: string | undefined
}

const PATH =
  /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+)(?=\/[^/]+))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/

/** What a request path names; undefined: the server has no such route. */
export function targetOf(path: string): Target | undefined {
  const known = targets.get(path)
  if (known !== undefined) return known
  const target = parsed(path)
  if (target !== undefined && targets.size < TARGETS_KEPT) targets.set(path, target)
  return target
}

/** The same few paths come again and again. */
const targets = new Map<string, Target>()
const TARGETS_KEPT = 2_000

function parsed(path: string): Target | undefined {
  const parts = PATH.exec(path)?.slice(1) ?? []
  const [group, version, namespace, plural, name, sub] = parts.map(decoded)
  const resource = RESOURCES.find(
    (each) => each.group === (group ?? '') && each.version === version && each.plural === plural,
  )
  return resource && { resource, namespace: namespace ?? '', name, sub }
}

function decoded(part: string | undefined): string | undefined {
  return part && decodeURIComponent(part)
}

/** The resource of a kind; throws when there is none. */
export function resourceOf(kind: string): ModelResource {
  const found = RESOURCES.find((each) => each.kind === kind)
  if (found === undefined) throw new Error(`the model has no kind ${kind}`)
  return found
}
