/** Reads the rule book. */

export interface RuleRow {
  /** The heading it stands under. */
  family: string
  rule: string
  /** Without folder and ending. */
  file: string
  test: string
}

/** The rows of the book's tables in order; throws on a row that has not three cells. */
export function rowsOf(book: string): RuleRow[] {
  let family = ''
  const rows: RuleRow[] = []
  for (const line of book.split('\n')) {
    if (line.startsWith('## ')) family = line.slice(3)
    if (!line.startsWith('|') || /^\|[-|]+\|$/.test(line)) continue
    const cells = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    const [rule, file, test] = cells
    if (cells.length !== 3 || !rule || !file || !test) throw new Error(`not a row of three cells: ${line}`)
    if (rule !== 'Rule') rows.push({ family, rule, file, test })
  }
  return rows
}

/** What is wrong with a rule book, given the names of the tests that run, by file; nothing when all is well. */
export function faultsOf(rows: readonly RuleRow[], running: (file: string) => readonly string[]): string[] {
  const rules = new Set<string>()
  const tests = new Set<string>()
  return rows.flatMap(({ family, rule, file, test }) => {
    const [ruleKey, testKey] = [`${family}: ${rule}`.toLowerCase(), `${file}: ${test}`]
    const faults = [
      ...(rules.has(ruleKey) ? [`stands twice: ${ruleKey}`] : []),
      ...(tests.has(testKey) ? [`holds two rules: ${testKey}`] : []),
      ...foundFaults(testKey, running(file).filter((name) => name === test).length),
    ]
    rules.add(ruleKey)
    tests.add(testKey)
    return faults
  })
}

function foundFaults(test: string, found: number): string[] {
  if (found === 1) return []
  return [found === 0 ? `does not exist or does not run: ${test}` : `is ${found} tests: ${test}`]
}
