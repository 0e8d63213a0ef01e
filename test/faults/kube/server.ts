/** Requests to the modelled API server: path and method to a rule of the model, and what it answers. */
import { isObject, textOf, type ModelObject } from './objects.ts'
import { expired, KubeRefusal, noRoute, notFound, tooLarge } from './refusal.ts'
import type { KubeModel } from './model.ts'
import { targetOf, type ModelResource, type Target } from './resources.ts'

export interface KubeAsk {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body: unknown
}

export interface KubeReply {
  readonly status: number
  /** JSON text, as it crosses the wire. */
  readonly text: string
  /** The object it holds; absent for lists and refusals. */
  readonly object?: ModelObject
}

export interface KubeServer {
  ask(ask: KubeAsk): KubeReply
  /** The positions in lists handed out so far are too old from now on. */
  forgetPositions(): void
}

export function createKubeServer(model: KubeModel): KubeServer {
  /** What is left of lists that were asked for in pages. */
  let positions = new Map<string, { readonly items: readonly ModelObject[]; readonly version: number }>()
  let handedOut = 0

  function page(
    resource: ModelResource,
    items: readonly ModelObject[],
    version: number,
    limit: number,
  ): unknown {
    const rest = items.slice(limit)
    const position = rest.length === 0 ? undefined : `position-${++handedOut}`
    if (position !== undefined) positions.set(position, { items: rest, version })
    return {
      apiVersion: resource.group === '' ? resource.version : `${resource.group}/${resource.version}`,
      kind: `${resource.kind}List`,
      metadata: {
        resourceVersion: String(version),
        continue: position ?? '',
        ...(position !== undefined && { remainingItemCount: rest.length }),
      },
      items: items.slice(0, limit),
    }
  }

  function list({ resource, namespace }: Target, query: KubeAsk['query']): unknown {
    const limit = typeof query['limit'] === 'number' ? query['limit'] : Number.POSITIVE_INFINITY
    const position = query['continue']
    if (typeof position === 'string') {
      const left = positions.get(position)
      if (left === undefined) throw expired()
      return page(resource, left.items, left.version, limit)
    }
    const asked = Number(query['resourceVersion'] ?? 0)
    if (asked > model.version()) throw tooLarge(asked, model.version())
    return page(resource, model.list(resource, namespace), model.version(), limit)
  }

  function get({ resource, namespace, name = '' }: Target): ModelObject {
    const object = model.get(resource, namespace, name)
    if (object === undefined) throw notFound(resource, name)
    return object
  }

  function remove({ resource, namespace, name = '' }: Target): unknown {
    const before = get({ resource, namespace, name, sub: undefined })
    const held = model.delete(resource, namespace, name)
    if (held !== undefined) return held
    const details = {
      name,
      ...(resource.group !== '' && { group: resource.group }),
      kind: resource.plural,
      uid: before.metadata.uid,
    }
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
  }

  function carryOut(target: Target, { method, query, body }: KubeAsk): unknown {
    const { resource, namespace, name, sub } = target
    if (sub === 'status' && name !== undefined) {
      if (method === 'GET') return get(target)
      if (method === 'PUT') return model.putStatus(resource, namespace, name, body)
    }
    if (sub !== undefined) throw noRoute()
    if (name === undefined) {
      if (method === 'GET') return list(target, query)
      if (method === 'POST') return model.create(resource, namespace, body)
      throw noRoute()
    }
    switch (method) {
      case 'GET':
        return get(target)
      case 'PUT':
        return model.put(resource, namespace, name, body)
      case 'PATCH':
        return model.patch(resource, namespace, name, body)
      case 'DELETE':
        return remove(target)
      case 'POST':
        throw noRoute()
    }
  }

  return {
    ask: (ask) => {
      try {
        const target = targetOf(ask.path)
        if (target === undefined) throw noRoute()
        const answer = carryOut(target, ask)
        const status = ask.method === 'POST' ? 201 : 200
        return isModelObject(answer)
          ? { status, text: textOf(answer), object: answer }
          : { status, text: JSON.stringify(answer) }
      } catch (error) {
        if (error instanceof KubeRefusal) {
          const { status, body } = error
          return { status, text: typeof body === 'string' ? body : JSON.stringify(body) }
        }
        throw error
      }
    },
    forgetPositions: () => void (positions = new Map()),
  }
}

function isModelObject(value: unknown): value is ModelObject {
  return isObject(value) && isObject(value['metadata']) && 'uid' in value['metadata']
}
