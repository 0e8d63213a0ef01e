/** A book: sentences in tables, each with the test that holds it. Reads one and says what is wrong with it. */
import { existsSync, readFileSync } from 'node:fs'
import { titlesIn } from './titles.ts'

export interface BookRow {
  /** The heading it stands under. */
  family: string
  sentence: string
  /** Without folder and ending. */
  file: string
  test: string
  /** Its first cell was empty: one more test of the sentence above. */
  more: boolean
}

/** The rows of the book's tables in order; `heading` is their first column's. Throws on a row that has not three cells. */
export function rowsOf(book: string, heading: string): BookRow[] {
  let family = ''
  const rows: BookRow[] = []
  for (const line of book.split('\n')) {
    if (line.startsWith('## ')) family = line.slice(3)
    if (!line.startsWith('|') || /^\|[- |]+\|$/.test(line)) continue
    const cells = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    const [first, file, test] = cells
    const above = rows.at(-1)
    const sentence = first === '' && above?.family === family ? above.sentence : first
    if (cells.length !== 3 || !sentence || !file || !test)
      throw new Error(`not a row of three cells: ${line}`)
    if (sentence !== heading) rows.push({ family, sentence, file, test, more: first === '' })
  }
  return rows
}

/** The names of the tests that run, by file below a folder; `folder` is a URL with a slash at its end. */
export function runningBelow(folder: URL): (file: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (file) => {
    const names = known.get(file) ?? runningIn(new URL(`${file}.test.ts`, folder))
    known.set(file, names)
    return names
  }
}

function runningIn(file: URL): readonly string[] {
  return existsSync(file) ? runningOf(readFileSync(file, 'utf8')) : []
}

/** The names of the tests that run, in the text of a file. */
export function runningOf(text: string): readonly string[] {
  return titlesIn(text)
    .filter(({ idle }) => !idle)
    .map(({ title }) => title)
}

/** What is wrong with a book, given the names of the tests that run, by file; nothing when all is well. */
export function faultsOf(rows: readonly BookRow[], running: (file: string) => readonly string[]): string[] {
  const sentences = new Set<string>()
  const tests = new Set<string>()
  return rows.flatMap(({ family, sentence, file, test, more }) => {
    const [sentenceKey, testKey] = [`${family}: ${sentence}`.toLowerCase(), `${file}: ${test}`]
    const faults = [
      ...(sentences.has(sentenceKey) && !more ? [`stands twice: ${sentenceKey}`] : []),
      ...(tests.has(testKey) ? [`stands twice: ${testKey}`] : []),
      ...foundFaults(testKey, running(file).filter((name) => name === test).length),
    ]
    sentences.add(sentenceKey)
    tests.add(testKey)
    return faults
  })
}

function foundFaults(test: string, found: number): string[] {
  if (found === 1) return []
  return [found === 0 ? `does not exist or does not run: ${test}` : `is ${found} tests: ${test}`]
}
