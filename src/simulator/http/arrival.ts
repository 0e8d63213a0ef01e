/** What happens to a request before any rule of the service: its path, its key, its line in the call log. */
import { clip, redact, type CallStart } from '../calls.ts'
import type { Account, Token, World } from '../state/model.ts'
import { gatewayReply } from './errors.ts'
import { parseBody, parseForm } from './parse.ts'
import type { RawRequest } from './raw.ts'
import { bodyTypeOf, findRoute, type Found, type Reply, type Route } from './route.ts'

export interface Arrival {
  /** What the query and body say, decoded on demand: malformed ones are a Refusal. */
  query(): Record<string, unknown>
  body(): Record<string, unknown>
  found: Found | undefined
  /** The gateway's answer when there is no such route or method. */
  turnedAway: Reply
  record: CallStart
}

/** Finds the route of a request and describes the call for the log. */
export function receive(routes: readonly Route[], world: World, request: RawRequest): Arrival {
  const at = request.url.indexOf('?')
  const pathname = at < 0 ? request.url : request.url.slice(0, at)
  const routing = findRoute(routes, request.method, pathname, world.profile, world.rules)
  const found = 'route' in routing ? routing : undefined
  const type = found === undefined ? 'none' : bodyTypeOf(found.route, world.profile)
  const query = once(() => parseForm(at < 0 ? '' : request.url.slice(at + 1)))
  const contentType = request.headers['content-type'] ?? ''
  const body = once(() => parseBody(type, contentType, request.body, found?.route.requiresNothing === true))
  const operationId = request.headers['x-operation-id']
  return {
    query,
    body,
    found,
    turnedAway: gatewayReply(
      'found' in routing && routing.found === 'otherMethod' ? 'wrongMethod' : 'noRoute',
      world.profile,
    ),
    record: {
      apiKey: (request.headers['apikey'] ?? '').slice(-4),
      method: request.method,
      path: clip(found?.path ?? pathname),
      ...(found?.slug !== undefined && { location: found.slug }),
      query: redact(quietly(query)),
      body: redact(quietly(body)),
      ...(operationId !== undefined && { operationId: clip(operationId) }),
    },
  }
}

/** Reads once; a reading that was refused is refused again. */
function once(read: () => Record<string, unknown>): () => Record<string, unknown> {
  let values: Record<string, unknown> | undefined
  return () => (values ??= read())
}

function quietly(read: () => Record<string, unknown>): Record<string, unknown> {
  try {
    return read()
  } catch {
    return { unreadable: true }
  }
}

/** The account and token of a key, or the gateway's refusal. */
export function authenticate(
  world: World,
  key: string | undefined,
): { account: Account; token: Token } | Reply {
  if (key === undefined || key === '') return gatewayReply('noKey', world.profile)
  const token = world.tokens.get(world.secrets.get(key) ?? -1)
  const account = world.accounts.get(token?.userId ?? -1)
  return token === undefined || account === undefined
    ? gatewayReply('wrongKey', world.profile)
    : { account, token }
}
