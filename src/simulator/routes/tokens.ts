/** API tokens. Lists carry every secret of the caller. */
import type { ApiCall, Reply, Route } from '../http/route.ts'
import { tokenRecord } from '../records/user.ts'
import { changeToken, createToken, deleteToken, tokensOf } from '../state/tokens.ts'

const common = { family: 'token', slug: 'never' } as const

export const tokenRoutes: readonly Route[] = [
  {
    ...common,
    method: 'GET',
    path: '/user-resource/token/list',
    reads: 'none',
    handle: (call) => all(call),
  },
  {
    ...common,
    method: 'POST',
    path: '/user-resource/token',
    reads: 'form',
    requiresNothing: true,
    handle: (call) => {
      createToken(call, {
        billingAccount: call.body.whole('billing_account_id') ?? 0,
        description: call.body.text('description') ?? '',
        restricted: call.body.flag('restricted') ?? false,
      })
      return all(call)
    },
  },
  {
    ...common,
    method: 'PATCH',
    path: '/user-resource/token',
    reads: 'form',
    handle: (call) => {
      changeToken(call, {
        id: call.body.requiredWhole('token_id'),
        billingAccount: call.body.whole('billing_account_id') ?? 0,
        description: call.body.text('description'),
        restrict: call.body.text('restricted') !== undefined,
      })
      return done(call)
    },
  },
  {
    ...common,
    method: 'DELETE',
    path: '/user-resource/token',
    reads: 'form',
    handle: (call) => {
      deleteToken(call, call.body.requiredWhole('token_id'))
      return done(call)
    },
  },
]

function all(call: ApiCall): Reply {
  return { status: 200, body: tokensOf(call).map(tokenRecord) }
}

/** The interface shows no body for these; deployments answer with one. */
function done(call: ApiCall): Reply {
  return call.world.profile === 'extended' ? { status: 200, body: { success: true } } : { status: 200 }
}
