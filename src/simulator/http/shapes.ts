/** The bodies that errors have been seen to have on deployments: for faults that answer in place of the service. */

export const bodyShapes = ['Error', 'field', 'fieldObject', 'message', 'spring', 'html', 'empty'] as const

export type BodyShape = (typeof bodyShapes)[number]

/** A body of the shape as text, and its content type. */
export function bodyOf(
  shape: BodyShape,
  status: number,
  text: string,
): { body: string; contentType: string | undefined } {
  if (shape === 'empty') return { body: '', contentType: undefined }
  if (shape === 'html')
    return {
      body: `<html><head><title>${status}</title></head><body>${text}</body></html>`,
      contentType: 'text/html',
    }
  return { body: JSON.stringify(objectOf(shape, status, text)), contentType: 'application/json' }
}

function objectOf(shape: Exclude<BodyShape, 'html' | 'empty'>, status: number, text: string): object {
  switch (shape) {
    case 'Error':
      return { errors: { Error: text } }
    case 'field':
      return { errors: { uuid: text } }
    case 'fieldObject':
      return { errors: { uuid: { msg: text } } }
    case 'message':
      return { message: text }
    case 'spring':
      return { timestamp: '2024-01-01T00:00:00.000+0000', status, error: text, message: text, path: '/' }
  }
}
