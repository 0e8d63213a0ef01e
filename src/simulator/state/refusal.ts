/** A rule of the service that says no. Routes turn it into the error body of their family. */
import type { RefusalName } from './rules.ts'

export interface RefusalDetails {
  status?: number
  /** The request field at fault. */
  field?: string
  /** Lets a test choose another status and text for it. */
  name?: RefusalName
  /** A condition the interface states for the operation was not met: clients are expected to know it. */
  precondition?: boolean
}

export class Refusal extends Error {
  readonly status: number
  readonly field: string | undefined
  readonly named: RefusalName | undefined
  readonly precondition: boolean

  constructor(text: string, details: RefusalDetails = {}) {
    super(text)
    this.name = 'Refusal'
    this.status = details.status ?? 400
    this.field = details.field
    this.named = details.name
    this.precondition = details.precondition ?? false
  }
}

/** Throws the refusal; an expression, so that it can stand behind `??`. */
export function refuse(text: string, details: RefusalDetails = {}): never {
  throw new Refusal(text, details)
}
