/** A history for people: one line for each thing that happened. */
import type { Entry, History } from './history.ts'
import { conditionOf } from './oracles/facts.ts'
import { isObject } from './kube/objects.ts'

export function described(history: History): readonly string[] {
  return history.entries.map((entry) => `${timeOf(entry).padStart(9)} ${wordsFor(entry)}`)
}

function timeOf(entry: Entry): string {
  return ((entry.is === 'call' ? entry.sentAt : entry.at) / 1_000).toFixed(3)
}

function wordsFor(entry: Entry): string {
  switch (entry.is) {
    case 'process':
      return `process ${entry.process} ${entry.what}`
    case 'call': {
      const effect = entry.effect === undefined ? '' : ` (${entry.effect})`
      const done = entry.doneAt === undefined ? 'never done' : `done ${(entry.doneAt / 1_000).toFixed(3)}`
      return `p${entry.process} ${entry.label} ${entry.status ?? '-'}, saw ${entry.seen ?? 'no end'}, ${done}${effect}`
    }
    case 'write': {
      const ready = entry.after && conditionOf(entry.after, 'Ready')
      const operation = entry.after?.status?.['operation']
      const open = isObject(operation) ? ` [${String(operation['verb'])} ${String(operation['id'])}]` : ''
      const who =
        entry.process === 0
          ? `a person wrote ${entry.kind} ${entry.name}`
          : `p${entry.process} ${entry.label}`
      return `${who} ${entry.status}${ready ? `: Ready=${ready.status} ${ready.reason}` : ''}${open}`
    }
    case 'person':
      return `a person: ${entry.what}`
    case 'trouble':
      return `!! ${JSON.stringify(entry.perturbation)}`
    case 'moment':
      return `== ${entry.moment}${entry.reached ? '' : ', not reached in time'}`
    case 'log':
      return `p${entry.process} ${entry.level}: ${entry.text}`
  }
}
