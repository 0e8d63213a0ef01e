/** Draws the next call: who asks, where, for what, and what is wrong with it. */
import { locations } from '../../../src/simulator/state/locations.ts'
import type { Profile } from '../../../src/simulator/state/model.ts'
import { spoil } from './distort.ts'
import { contentTypes, fieldsOf, type Draft } from './draft.ts'
import { operations } from './operations.ts'
import type { Operation } from './operation.ts'
import { picksOf } from './picks.ts'
import type { Random } from './random.ts'
import type { State } from './state.ts'

const spoiled = 0.35
const quirky = 0.1

/** The state must have a token at least. */
export function drawCall(state: State, random: Random): Draft {
  const token = random.oneOf([...state.tokens.values()])
  const operation = random.oneOf(operations)
  const slug = drawSlug(operation, state.profile, random)
  const location = slug ?? locations[0]?.slug ?? ''
  const { path = [], query, body } = operation.ask(picksOf(state, { token, location }, random))
  const values = [...path]
  const draft: Draft = {
    operation,
    method: operation.method,
    version: 'v1',
    slug,
    path: operation.path
      .split('/')
      .slice(1)
      .map((segment) => (segment.startsWith(':') ? (values.shift() ?? '') : segment)),
    query: fieldsOf(query),
    body: fieldsOf(body),
    sends: operation.sends,
    encoding: 'percent',
    contentType: body === undefined ? undefined : contentTypes[operation.sends],
    rawBody: undefined,
    rawPath: undefined,
    key: token.secret,
    distorted: [],
  }
  if (random.chance(spoiled)) spoil({ draft, random, state })
  else if (random.chance(quirky)) quirk(draft, random)
  return draft
}

function drawSlug(operation: Operation, profile: Profile, random: Random): string | undefined {
  const taken = operation.local === 'always' || (operation.local === 'extended' && profile === 'extended')
  return taken && random.chance(0.15) ? random.oneOf(locations).slug : undefined
}

/** Other ways to say the same. */
function quirk(draft: Draft, random: Random): void {
  draft.encoding = random.oneOf(['everything', 'smallHex'])
  if (draft.sends === 'form' && draft.body.length > 0 && random.chance(0.5)) {
    draft.sends = 'multipart'
    draft.contentType = contentTypes.multipart
  }
}
