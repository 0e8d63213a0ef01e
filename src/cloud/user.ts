/** The caller itself. */
import { record } from './answers.ts'
import type { CloudClient, Send } from './client.ts'
import type { ProfileRecord, UserRecord } from './records.ts'
import type { ReadOptions } from './request.ts'
import { profileSchema, userSchema } from './schemas.ts'

/** Who the API key belongs to. */
export function getUser(client: CloudClient, options?: ReadOptions): Promise<UserRecord> {
  return client.read(
    {
      family: 'user',
      method: 'GET',
      route: 'user-resource/user',
      answer: record(userSchema),
    },
    options,
  )
}

/** What is undefined is not sent. */
export interface ProfileChange {
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly phoneNumber?: string | undefined
  /** Treated as a secret. */
  readonly personalIDNumber?: string | undefined
}

/** Changes what is given of the caller's own profile; answers with all of it. */
export function updateProfile(
  client: CloudClient,
  change: ProfileChange,
  send: Send,
): Promise<ProfileRecord> {
  const { firstName, lastName, phoneNumber, personalIDNumber } = change
  return client.change(
    {
      family: 'user',
      method: 'PATCH',
      route: 'user-resource/user/profile',
      form: {
        first_name: firstName,
        last_name: lastName,
        phone_number: phoneNumber,
        personal_id_number: personalIDNumber,
      },
      secrets: personalIDNumber === undefined ? [] : [personalIDNumber],
      answer: record(profileSchema),
    },
    send,
  )
}
