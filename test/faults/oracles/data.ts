/** Data is destroyed only when an object of ours that owns it is being deleted, or an operation asks for just that. */
import type { CallEntry, History } from '../history.ts'
import { factsOf, mayDelete, wasGiven, type Owner } from './facts.ts'
import { isAbandoned } from './kept.ts'

export function data(history: History): string[] {
  const facts = factsOf(history)
  return facts.mutations.flatMap((call) =>
    call.lost
      .filter((token) => !isLicensed(history, call, token))
      .map((token) => `${call.label} destroyed ${token}`),
  )
}

/** `disk/<uuid>/<n>` or `bucket/<name>/<n>` */
function isLicensed(history: History, call: CallEntry, token: string): boolean {
  const facts = factsOf(history)
  const { operations, recorded, made } = facts
  const asked = operations.get(call.operationID ?? '')
  if (asked?.kind === 'CloudVMOperation') return true
  const id = token.split('/')[1] ?? ''
  const maker = made.find((each) => each.id === id)?.owner
  const owners = [recorded.get(id), maker, asked].filter(
    (each): each is Owner & { verb: string } => each !== undefined,
  )
  return owners.some(({ uid }) => {
    const object = facts.objectAt(uid, call.sentAt)
    const owns = maker === undefined || maker.uid === uid || wasGiven(object, id) || hasLeft(history, maker)
    return owns && object?.metadata.deletionTimestamp !== undefined && mayDelete(object)
  })
}

/** It is gone, and did not say that its cloud object is to stay, or a person took the finalizer off that held it. */
function hasLeft(history: History, { uid }: Owner): boolean {
  const states = factsOf(history).statesOf(uid)
  const last = states.at(-1)
  if (last?.before === undefined || last.after !== undefined) return false
  return isAbandoned(states) || mayDelete(last.before)
}
