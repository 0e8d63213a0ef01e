/** What the tables of refusals say of an operation: how its parameters travel, what each is, and a request that is right. */
import type { Profile } from '../kit.ts'
import type { Ids } from './scene.ts'

/** Things that an id can name. Each has ids of things that must not be found. */
export type Named =
  | 'vm'
  /** As vm, but reads may still show a deleted one. */
  | 'shownVm'
  | 'disk'
  | 'diskOnVm'
  | 'network'
  | 'replica'
  | 'pool'
  | 'address'
  | 'bucket'
  | 'token'
  | 'key'
  | 'balancer'
  | 'source'

export type Parameter =
  | { is: 'id'; of: Named; required: boolean }
  /** `amount`: of something to be made, so 0 and a huge one are wrong too. */
  | { is: 'whole'; required: boolean; amount?: boolean }
  | { is: 'billing'; required: boolean; filter?: boolean }
  | { is: 'flag' }
  | { is: 'text'; required: boolean }
  | { is: 'list'; required: boolean }

export type Values = Readonly<Record<string, unknown>>

export interface Wrong {
  why: string
  /** In place of the fields of the right request; undefined takes one away. */
  fields?: Values
  /** In place of the id in the path. */
  id?: string
  apiKey?: string
  /** One of these is in the refusal's text. */
  names: readonly string[]
  status?: number
  only?: Profile
}

export interface Operation {
  /** 'METHOD /path/:parameter' as in the table of operations. */
  name: string
  /** How its parameters travel; absent: it has none. */
  carrier?: 'form' | 'query' | 'json'
  parameters?: Readonly<Record<string, Parameter>>
  /** What the id in the path names, and the word a refusal has for it. */
  path?: { of: Named; id: (ids: Ids) => string; word: string }
  right?: (ids: Ids) => Values
  wrong?: (ids: Ids) => readonly Wrong[]
  /** Deployments have it, the interface does not. */
  only?: Profile
  /** As deployed, this operation reads JSON in place of its form. */
  readsJsonToo?: boolean
}

export const id = (of: Named, required = true): Parameter => ({ is: 'id', of, required })
export const whole = (required = true): Parameter => ({ is: 'whole', required })
export const amount = (required = true): Parameter => ({ is: 'whole', required, amount: true })
export const account = (required = true): Parameter => ({ is: 'billing', required })
export const text = (required = true): Parameter => ({ is: 'text', required })
export const list = (required = true): Parameter => ({ is: 'list', required })
export const flag: Parameter = { is: 'flag' }
/** Chooses rows of a list: one that fits nothing is not wrong. */
export const accountFilter: Parameter = { is: 'billing', required: false, filter: true }
