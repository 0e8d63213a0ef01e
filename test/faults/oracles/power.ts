/** A machine whose power nobody wishes for ends as it does in the undisturbed run: whoever stops it starts it again. */
import { momentOf, type History } from '../history.ts'
import { isGood } from './rest.ts'

export function power(history: History): string[] {
  const { reference } = history
  if (reference === undefined) return []
  const [wanted, there] = [powersOf(reference), powersOf(history)]
  return [...there]
    .filter(([name, word]) => wanted.has(name) && wanted.get(name) !== word)
    .map(([name, word]) => `CloudVM ${name} is ${word}, undisturbed ${wanted.get(name) ?? ''}`)
}

/** By the name of the object: the service's word for the power of its machine. */
function powersOf(history: History): ReadonlyMap<string, string> {
  const settled = momentOf(history, 'settled')
  const machines = (settled?.objects ?? []).filter((each) => each.kind === 'CloudVM' && isGood(each))
  return new Map(
    machines.flatMap(({ metadata, status }) => {
      const row = settled?.inventory.vms.find(({ uuid }) => uuid === status?.['id'])
      return row === undefined ? [] : [[metadata.name, String(row['status'])] as const]
    }),
  )
}
