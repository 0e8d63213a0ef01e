/** What the service says in the body of a failure, in each of the shapes in use. */

export interface ErrorWords {
  readonly text: string
  /** The parameter that the service names; never for the general `Error`. */
  readonly field?: string
  /** errors: the documented shape. framework: the error page of the service's web framework, not of the API. */
  readonly shape: 'errors' | 'message' | 'framework'
}

/** The words of a parsed body; undefined when it is not a complete error of a known shape. */
export function errorWords(body: unknown): ErrorWords | undefined {
  if (!isObject(body)) return undefined
  if ('errors' in body) return fromErrors(body['errors'])
  const message = wordsOf(body['message'])
  if ('timestamp' in body && 'status' in body) {
    return { text: message ?? wordsOf(body['error']) ?? 'no message', shape: 'framework' }
  }
  const text = message ?? wordsOf(body['error'])
  return text === undefined ? undefined : { text, shape: 'message' }
}

/** A body that speaks of failure although its status is a success. */
export function saysFailed(body: unknown): boolean {
  return isObject(body) && (fromErrors(body['errors']) !== undefined || body['success'] === false)
}

function fromErrors(errors: unknown): ErrorWords | undefined {
  const plain = wordsOf(errors)
  if (plain !== undefined) return { text: plain, shape: 'errors' }
  if (!isObject(errors)) return undefined
  const general = wordsOf(errors['Error'])
  if (general !== undefined) return { text: general, shape: 'errors' }
  const fields = Object.entries(errors).flatMap(([field, value]) => {
    const words = wordsOf(value)
    return words === undefined ? [] : [{ field, words }]
  })
  const [first] = fields
  if (first === undefined) return undefined
  const text = fields.map(({ field, words }) => `${field}: ${words}`).join('; ')
  return { text, field: first.field, shape: 'errors' }
}

/** A text, an object with `msg`, or a list of either. */
function wordsOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (Array.isArray(value)) {
    const words = value.map(wordsOf).filter((word) => word !== undefined)
    return words.length === 0 ? undefined : words.join('; ')
  }
  if (!isObject(value)) return undefined
  return wordsOf(value['msg'] ?? value['message'])
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
