/** What the modelled API server answers when it says no: the bodies of a real one. */
import type { ModelResource } from './resources.ts'

export class KubeRefusal extends Error {
  override readonly name = 'KubeRefusal'
  readonly status: number
  /** A Status; without a reason the bare message. */
  readonly body: Readonly<Record<string, unknown>> | string

  constructor(
    status: number,
    reason: string | undefined,
    message: string,
    details?: Readonly<Record<string, unknown>>,
  ) {
    super(message)
    this.status = status
    if (reason === undefined) {
      this.body = message
      return
    }
    this.body = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason,
      ...(details !== undefined && { details }),
      code: status,
    }
  }
}

const about = (resource: ModelResource, name: string) => ({
  name,
  ...(resource.group !== '' && { group: resource.group }),
  kind: resource.plural,
})

const fullName = (resource: ModelResource) =>
  resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`

export function notFound(resource: ModelResource, name: string): KubeRefusal {
  return new KubeRefusal(404, 'NotFound', `${fullName(resource)} "${name}" not found`, about(resource, name))
}

/** No Status: the words of a server that has no such route. */
export function noRoute(): KubeRefusal {
  return new KubeRefusal(404, undefined, '404 page not found')
}

export function alreadyExists(resource: ModelResource, name: string): KubeRefusal {
  return new KubeRefusal(
    409,
    'AlreadyExists',
    `${fullName(resource)} "${name}" already exists`,
    about(resource, name),
  )
}

export function modified(resource: ModelResource, name: string): KubeRefusal {
  const message = `Operation cannot be fulfilled on ${fullName(resource)} "${name}": the object has been modified; please apply your changes to the latest version and try again`
  return new KubeRefusal(409, 'Conflict', message, about(resource, name))
}

export function otherUID(resource: ModelResource, name: string, asked: string, stored: string): KubeRefusal {
  const message = `Operation cannot be fulfilled on ${fullName(resource)} "${name}": StorageError: invalid object, Code: 4, Precondition failed: UID in precondition: ${asked}, UID in object meta: ${stored}`
  return new KubeRefusal(409, 'Conflict', message, about(resource, name))
}

/** `field` breaks a rule. */
export function invalid(
  resource: ModelResource,
  name: string,
  field: string,
  message: string,
  reason = 'FieldValueInvalid',
): KubeRefusal {
  const text = `${resource.kind}${resource.group === '' ? '' : `.${resource.group}`} "${name}" is invalid: ${field}: ${message}`
  return new KubeRefusal(422, 'Invalid', text, {
    ...about(resource, name),
    kind: resource.kind,
    causes: [{ reason, message, field }],
  })
}

export function expired(): KubeRefusal {
  return new KubeRefusal(410, 'Expired', 'The resourceVersion for the provided list is too old.')
}

export function tooLarge(asked: number, current: number): KubeRefusal {
  return new KubeRefusal(504, 'Timeout', `Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })
}
