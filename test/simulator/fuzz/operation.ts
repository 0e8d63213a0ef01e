/** What an operation of the service is to the generator, and what drawing up its calls shares. */
import type { Picks } from './picks.ts'

export type Values = Record<string, unknown>

export interface Asked {
  /** Values of the path's ':x' segments, in order. */
  path?: string[]
  query?: Values
  body?: Values
}

export interface Operation {
  method: string
  path: string
  /** How a body is sent. */
  sends: 'form' | 'json' | 'nothing'
  /** Whether the answer of a refusal names its fields (VMs, users, tokens, locations) or is one message, as deployed. */
  errors: 'fields' | 'message'
  /** Only deployments have it. */
  extended?: boolean
  /** A location may stand in its path. */
  local: 'always' | 'extended' | 'never'
  ask(picks: Picks): Asked
}

export const nothing = (): Asked => ({})

/** `METHOD path`. */
export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`
}

export function flag({ random }: Picks): string {
  return random.oneOf(['true', 'false', 'True', 'FALSE'])
}

export function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `web ${index}`).join(' + ')
}

/** Each of the values, or not. */
export function sometimes({ random }: Picks, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(() => random.chance(0.5)))
}
