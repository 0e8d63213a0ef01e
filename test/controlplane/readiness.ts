/** Questions to the API server over verified TLS, with nothing but Node. */
import { request } from 'node:https'

/** The status code of a GET; undefined when there is no answer (yet). */
export function statusOf(url: string, ca: string, token: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const call = request(url, {
      ca,
      agent: false,
      timeout: 2000,
      headers: { authorization: `Bearer ${token}` },
    })
    call.once('response', (response) => {
      response.resume().once('error', () => resolve(undefined))
      response.once('end', () => resolve(response.statusCode))
    })
    call.once('timeout', () => call.destroy(new Error('no answer')))
    call.once('error', () => resolve(undefined))
    call.end()
  })
}
