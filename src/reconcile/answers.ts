/**
 * Answers of people to what the operator may not decide: annotations `resolve: <subject>=<answer>` and `recreate: <lost id>`. One
 * that was accepted is kept in status, because a tool may take the annotation away again.
 */
import { ANNOTATIONS } from '../api/group.ts'
import { STATUS_BOUNDS } from '../api/shared.ts'
import { patchDraft, type Pass } from './pass.ts'

/** The answer that says: none of these is mine. */
export const NONE = 'none'

const REMEMBERED = 16

/** What somebody answered about `subject` (the id of an open operation, or of a cloud object in the way). */
export function answerTo(pass: Pass, subject: string): string | undefined {
  const given = pass.object.metadata.annotations?.[ANNOTATIONS.resolve]
  const texts = [given?.trim(), ...(pass.draft.answered ?? [])]
  const prefix = `${subject}=`
  return texts.find((text) => text?.startsWith(prefix) === true)?.slice(prefix.length)
}

/** Keeps an answer that was acted upon. */
export function accept(pass: Pass, subject: string, answer: string): void {
  const text = `${subject}=${answer}`.slice(0, STATUS_BOUNDS.text)
  const others = (pass.draft.answered ?? []).filter((each) => each !== text)
  patchDraft(pass, { answered: [...others, text].slice(-REMEMBERED) })
}

/** An answer was given, and to another question. */
export function answersAnother(pass: Pass, subject: string): string | undefined {
  const given = pass.object.metadata.annotations?.[ANNOTATIONS.resolve]?.trim()
  if (given === undefined || given === '' || given.startsWith(`${subject}=`)) return undefined
  return `the annotation ${ANNOTATIONS.resolve} answers another question; this one is answered by ${subject}=…`
}

/** How to answer about `subject`. */
export function howToAnswer(pass: Pass, subject: string, answer: string): string {
  return annotate(pass, `${ANNOTATIONS.resolve}=${subject}=${answer}`)
}

/** Whether making the lost object `id` again was asked for. */
export function recreateAsked(pass: Pass, id: string): boolean {
  return pass.object.metadata.annotations?.[ANNOTATIONS.recreate]?.trim() === id
}

export function howToRecreate(pass: Pass, id: string): string {
  return annotate(pass, `${ANNOTATIONS.recreate}=${id}`)
}

function annotate({ kind, object }: Pass, annotation: string): string {
  const { name, namespace } = object.metadata
  return `kubectl annotate --overwrite -n ${namespace} ${kind.kind.toLowerCase()} ${name} ${annotation}`
}
