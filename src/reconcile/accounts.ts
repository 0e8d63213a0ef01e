/** The sessions of CloudAccounts: published by the account's own reconcile, read by everyone else. Makes no session itself. */
import { isCloudError } from '../cloud/errors.ts'
import { getUser } from '../cloud/user.ts'
import type { Session } from './session.ts'

export type SessionState =
  | { readonly is: 'ready'; readonly session: Session }
  | { readonly is: 'waiting'; readonly message: string }
  /** It exists, and this process has not looked at it yet: nothing can be said, and nothing is to be written. */
  | { readonly is: 'unseen' }

export interface Accounts {
  /** What objects of the namespace that name this account may use now. */
  session(namespace: string, name: string): SessionState
  /** Replaces the state of an account; objects that use it are looked at again when it begins or ceases to be ready. */
  publish(key: string, state: SessionState): void
  /** The account is gone; objects that use it are told, those that had waited for its first look too. */
  withdraw(key: string): void
  /** Whether the service still knows the session's key; if not the account pauses. Throws CloudError when it cannot be told. */
  keyWorks(session: Session): Promise<boolean>
}

/** `changed` is told when an account begins or ceases to be ready, and when it goes; `exists` says whether there is such a CloudAccount. */
export function createAccounts(changed: (key: string) => void, exists: (key: string) => boolean): Accounts {
  const states = new Map<string, SessionState>()
  /** Somebody found them unseen, and waits to be told. */
  const awaited = new Set<string>()
  const publish = (key: string, state: SessionState): void => {
    const before = states.get(key)
    states.set(key, state)
    if (
      before?.is !== state.is ||
      (before.is === 'ready' && state.is === 'ready' && before.session !== state.session)
    )
      changed(key)
  }
  return {
    session: (namespace, name) => {
      const key = `${namespace}/${name}`
      const message = `CloudAccount ${name} does not exist in namespace ${namespace}; create it`
      const state = states.get(key)
      if (state !== undefined) return state
      if (!exists(key)) return { is: 'waiting', message }
      awaited.add(key)
      return { is: 'unseen' }
    },
    publish,
    withdraw: (key) => {
      const told = [states.delete(key), awaited.delete(key)]
      if (told.includes(true)) changed(key)
    },
    async keyWorks(session) {
      try {
        const user = await getUser(session.client)
        return user.id === session.userID
      } catch (error) {
        if (!isCloudError(error, 'denied')) throw error
        const current = states.get(session.account)
        // The key was rotated meanwhile: the session that took this one's place is not touched.
        if (current?.is === 'ready' && current.session !== session) return false
        publish(session.account, {
          is: 'waiting',
          message: `CloudAccount ${session.account}: the service no longer accepts its key; put a valid one into its Secret`,
        })
        return false
      }
    },
  }
}
