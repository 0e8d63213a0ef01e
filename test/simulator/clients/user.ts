/** The caller's own user and profile. */
import { z } from 'zod'
import { one, shape, vmTime, whole } from './shapes.ts'
import type { Wire } from './wire.ts'

export const userOperations = ['GET /user-resource/user', 'PATCH /user-resource/user/profile'] as const

const profileFields = {
  avatar: z.url(),
  created_at: vmTime,
  email: z.string(),
  first_name: z.string(),
  id: whole,
  last_name: z.string(),
  personal_id_number: z.string(),
  phone_number: z.string(),
  updated_at: vmTime,
  user_id: whole,
}

const profile = shape(profileFields)

const user = shape({
  cookie_id: z.string(),
  id: whole,
  last_activity: vmTime,
  name: z.string(),
  profile: z.json(),
  profile_data: z.strictObject(profileFields),
  state: z.looseObject({}),
})

export interface ProfileForm {
  first_name?: string
  last_name?: string
  phone_number?: string
  personal_id_number?: string
}

export function userClient({ send, dialect }: Wire) {
  return {
    get: async () => one(await send('GET /user-resource/user'), dialect, user),
    changeProfile: async (form: ProfileForm) =>
      one(await send('PATCH /user-resource/user/profile', { form: { ...form } }), dialect, profile),
  }
}
