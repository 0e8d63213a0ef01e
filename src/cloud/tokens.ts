/**
 * API tokens of the caller. Every list holds every secret: values are behind a function, so that no log, status or message can
 * hold one by accident, and no answer of this file is ever logged.
 */
import { ignored, rows } from './answers.ts'
import type { CloudClient, Send } from './client.ts'
import type { TokenRecord } from './records.ts'
import type { ReadOptions } from './request.ts'
import { tokenSchema } from './schemas.ts'

const route = 'user-resource/token'

export interface TokenWish {
  readonly description: string
  /** 0: tied to none. Always sent: left out it would become 0. */
  readonly billingAccount: number
  readonly restricted: boolean
}

export function listTokens(client: CloudClient, options?: ReadOptions): Promise<readonly TokenRecord[]> {
  return client.read(
    { family: 'token', method: 'GET', route: `${route}/list`, answer: rows(tokenSchema) },
    options,
  )
}

/** Makes a token. Answers with all of the caller's. */
export function createToken(
  client: CloudClient,
  wish: TokenWish,
  send: Send,
): Promise<readonly TokenRecord[]> {
  return client.change(
    { family: 'token', method: 'POST', route, form: formOf(wish), answer: rows(tokenSchema) },
    send,
  )
}

/** Changes description and billing account; a token can become restricted, and never free again. */
export function updateToken(client: CloudClient, id: number, wish: TokenWish, send: Send): Promise<void> {
  return client.change(
    {
      family: 'token',
      method: 'PATCH',
      route,
      form: { token_id: id, ...formOf(wish) },
      exact: { kind: 'token', id: String(id) },
      answer: ignored,
    },
    send,
  )
}

/** Makes a token invalid at once. */
export function deleteToken(client: CloudClient, id: number, send: Send): Promise<void> {
  return client.change(
    {
      family: 'token',
      method: 'DELETE',
      route,
      form: { token_id: id },
      exact: { kind: 'token', id: String(id) },
      answer: ignored,
    },
    send,
  )
}

/** Any value of `restricted` means true to a change: false is left out. */
function formOf({ description, billingAccount, restricted }: TokenWish) {
  return {
    description,
    billing_account_id: billingAccount,
    ...(restricted && { restricted: true }),
  }
}
