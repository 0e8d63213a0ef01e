/** API tokens. The answers of update and delete are not shown: any success will do. */
import { z } from 'zod'
import { many, shape, uuid, vmTime, whole } from './shapes.ts'
import type { Wire } from './wire.ts'

export const tokenOperations = [
  'GET /user-resource/token/list',
  'POST /user-resource/token',
  'PATCH /user-resource/token',
  'DELETE /user-resource/token',
] as const

const token = shape({
  id: whole,
  user_id: whole,
  billing_account_id: whole,
  consumer_id: uuid,
  gateway_id: uuid,
  description: z.string(),
  restricted: z.boolean(),
  token: z.string().min(1),
  created_at: vmTime,
  updated_at: vmTime.nullable(),
})

export interface TokenForm {
  billing_account_id?: number
  description?: string
  restricted?: boolean
}

export function tokensClient({ send, dialect }: Wire) {
  return {
    list: async () => many(await send('GET /user-resource/token/list'), dialect, token),
    /** Answers with all tokens of the caller, the new one included. */
    create: async (form: TokenForm) =>
      many(await send('POST /user-resource/token', { form: { ...form } }), dialect, token),
    update: async (tokenId: number, form: TokenForm): Promise<void> => {
      await send('PATCH /user-resource/token', { form: { token_id: tokenId, ...form } })
    },
    delete: async (tokenId: number): Promise<void> => {
      await send('DELETE /user-resource/token', { form: { token_id: tokenId } })
    },
  }
}
