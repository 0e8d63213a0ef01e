/**
 * The routes: one file per family of the interface. A route reads its parameters, calls one rule of the state and
 * answers with records; it holds no rule of its own.
 */
import { profileRecord, userRecord } from '../records/user.ts'
import { changeProfile } from '../state/accounts.ts'
import type { Route } from '../http/route.ts'

export const userRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/user-resource/user',
    family: 'user',
    slug: 'never',
    reads: 'none',
    handle: ({ account }) => ({ status: 200, body: userRecord(account) }),
  },
  {
    method: 'PATCH',
    path: '/user-resource/user/profile',
    family: 'user',
    slug: 'never',
    reads: 'form',
    requiresNothing: true,
    handle: (call) => {
      changeProfile(call, {
        firstName: call.body.text('first_name'),
        lastName: call.body.text('last_name'),
        phoneNumber: call.body.text('phone_number'),
        personalIdNumber: call.body.text('personal_id_number'),
      })
      return { status: 200, body: profileRecord(call.account) }
    },
  },
]
