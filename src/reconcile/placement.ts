/** Whether an object that another one refers to can be used there at all: the same user, and the same place. Pure. */
import type { CloudResource, WishFacts } from './kind.ts'

/**
 * What is wrong with `target` as the value of `field`; undefined: nothing. `located`: the service uses the two together
 * only in one location.
 */
export function misplaced(
  facts: Pick<WishFacts, 'session' | 'location'>,
  field: string,
  target: CloudResource,
  located: boolean,
): string | undefined {
  const named = `${field}: ${target.kind} ${target.metadata.name}`
  const { session } = facts
  const account = target.status?.account
  if (account !== undefined && (account.endpoint !== session.endpoint || account.userID !== session.userID)) {
    return `${named} belongs to user ${account.userID} at ${account.endpoint}, this object to user ${session.userID} at ${session.endpoint}; refer to one of the same user`
  }
  const location = target.status?.location
  if (!located || location === undefined || location === facts.location) return undefined
  return `${named} is in location ${location}, this object in ${facts.location}; refer to one in the same location`
}
