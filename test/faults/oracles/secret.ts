/** No secret value shows in a status, an event or the log. */
import type { History } from '../history.ts'
import { factsOf } from './facts.ts'

export function secret(history: History): string[] {
  const texts = [
    ...factsOf(history)
      .writes.filter(({ process, kind }) => process > 0 && kind !== 'Secret')
      .map(({ label, body }) => [label, body] as const),
    ...history.lines.map((line) => ['the log', line] as const),
  ]
  return texts.flatMap(([where, text]) =>
    history.secrets.some((each) => each.length > 3 && text.includes(each))
      ? [`a secret value shows in ${where}`]
      : [],
  )
}
