/** Of an object that is being deleted and lost its status: whether what has its name, or was to be adopted, is its own. */
import { NONE, accept, answerTo, howToAnswer } from './answers.ts'
import { holdersOf } from './look.ts'
import { subjectOf } from './ownership.ts'
import { fresh, patchDraft, pinIdentity, readContext, sessionOf, type Ended, type Pass } from './pass.ts'

/**
 * Nothing but a person can tell. Undefined: it is not there, or is another one's, or is to be left; or it is this one's, and its id
 * is in the draft. Throws CloudError.
 */
export async function askWhose(pass: Pass, id: string): Promise<Ended | undefined> {
  const { kind } = pass
  if (holdersOf(pass, id).length > 0) return undefined
  const seen = await kind.reads.exact(readContext(pass, fresh(pass)), id)
  if (seen === undefined) return undefined
  const subject = subjectOf(pass, id)
  const answer = answerTo(pass, subject)
  if (answer === NONE) return undefined
  if (answer === id) {
    accept(pass, subject, id)
    pinIdentity(pass)
    patchDraft(pass, { id })
    return undefined
  }
  const message = `the status was lost, and nothing but a person can tell whether the ${kind.noun} ${id} is this object's: if it is, and is to be deleted with it: ${howToAnswer(pass, subject, id)}; to leave it where it is: ${howToAnswer(pass, subject, NONE)}`
  return { verdict: { is: 'stalled', reason: 'AdoptionConflict', message }, afterMs: sessionOf(pass).syncMs }
}

/** What was adopted carries no marker of ours, and the spec names it; whether it was, went with the status. */
export async function askForAdopted(pass: Pass): Promise<Ended | undefined> {
  const { adopt } = pass.object.spec
  if (adopt === undefined || pass.kind.findToAdopt !== undefined) return undefined
  return pass.kind.reads.hasExact(sessionOf(pass)) ? askWhose(pass, adopt.id) : undefined
}
