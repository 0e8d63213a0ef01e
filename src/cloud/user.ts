/** The caller itself. */
import { record } from './answers.ts'
import type { CloudClient } from './client.ts'
import type { UserRecord } from './records.ts'
import type { ReadOptions } from './request.ts'
import { userSchema } from './schemas.ts'

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
