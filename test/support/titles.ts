/** Reads from the text of a test file which tests it holds, table rows written out, and which of them do not run. */
import ts from 'typescript'

export interface Title {
  title: string
  /** Skipped, to do, or expected to fail: by itself or by what is around it. */
  idle: boolean
}

/** The tests of a file in order. Titles of rows that are no literals keep their placeholders. */
export function titlesIn(text: string): Title[] {
  const titles: Title[] = []
  visit(ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest), false)
  return titles

  function visit(node: ts.Node, idle: boolean): void {
    const call = ts.isCallExpression(node) ? declared(node) : undefined
    const idleHere = idle || call?.idle === true
    if (call?.what === 'test') titles.push(...call.titles.map((title) => ({ title, idle: idleHere })))
    ts.forEachChild(node, (child) => visit(child, idleHere))
  }
}

interface Declared {
  what: 'test' | 'describe'
  idle: boolean
  titles: string[]
}

const idleWords = ['skip', 'todo', 'fails', 'skipIf', 'runIf']

/** What a call declares: test('…'), test.each([…])('…'), describe.skip('…'), … */
function declared(call: ts.CallExpression): Declared | undefined {
  const [title] = call.arguments
  if (title === undefined || !ts.isStringLiteralLike(title)) return undefined
  const table = ts.isCallExpression(call.expression) ? call.expression : undefined
  const words = wordsOf(table?.expression ?? call.expression)
  const [what, ...modifiers] = words
  if (what !== 'test' && what !== 'describe') return undefined
  const idle = modifiers.some((word) => idleWords.includes(word))
  return { what, idle, titles: modifiers.includes('each') ? writtenOut(title.text, table) : [title.text] }
}

/** 'test', 'each' of test.each; none when it is something else. */
function wordsOf(expression: ts.Expression): string[] {
  if (ts.isIdentifier(expression)) return [expression.text]
  if (!ts.isPropertyAccessExpression(expression)) return []
  return [...wordsOf(expression.expression), expression.name.text]
}

/** The title of every row, as the test runner forms it. */
function writtenOut(title: string, table: ts.CallExpression | undefined): string[] {
  const rows = table?.arguments[0]
  const list = rows === undefined ? undefined : bare(rows)
  if (list === undefined || !ts.isArrayLiteralExpression(list)) return [title]
  return list.elements.map((row) => titleOf(title, row))
}

function titleOf(title: string, row: ts.Expression): string {
  if (ts.isObjectLiteralExpression(row)) return titleOfNamed(title, row)
  const values = ts.isArrayLiteralExpression(row) ? row.elements.map(valueOf) : [valueOf(row)]
  let next = 0
  return title.replace(/%[sidj]/g, (placeholder) => {
    const value = values[next]
    next += 1
    if (value === undefined) return placeholder
    return placeholder === '%j' ? JSON.stringify(value) : String(value)
  })
}

function titleOfNamed(title: string, row: ts.ObjectLiteralExpression): string {
  return title.replace(/\$(\w+)/g, (placeholder, name: string) => {
    const property = row.properties.find(
      (each) => ts.isPropertyAssignment(each) && ts.isIdentifier(each.name) && each.name.text === name,
    )
    const value = property && ts.isPropertyAssignment(property) ? valueOf(property.initializer) : undefined
    return value === undefined ? placeholder : String(value)
  })
}

/** The value of a literal; undefined when it is none. */
function valueOf(expression: ts.Expression): string | number | boolean | undefined {
  if (ts.isStringLiteralLike(expression)) return expression.text
  if (ts.isNumericLiteral(expression)) return Number(expression.text.replaceAll('_', ''))
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return true
  return expression.kind === ts.SyntaxKind.FalseKeyword ? false : undefined
}

/** The expression without `as const` and brackets around it. */
function bare(expression: ts.Expression): ts.Expression {
  return ts.isAsExpression(expression) || ts.isParenthesizedExpression(expression)
    ? bare(expression.expression)
    : expression
}
