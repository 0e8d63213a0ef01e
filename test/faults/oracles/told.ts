/** Whether a story was told: one with a step that cannot be done looks as if all were well. */
import { entriesOf, type History } from '../history.ts'

/** Undisturbed, every step can be done. */
export function told(history: History): string[] {
  if (history.plan.perturbations.length > 0) return []
  return entriesOf(history, 'person').flatMap(({ what, undone }) => (undone === true ? [what] : []))
}
