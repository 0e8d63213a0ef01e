/** What the operator's client can send, read from its source: the method and route of every call it writes down. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const folder = join(import.meta.dirname, '../../../src/cloud')

/** 'METHOD /path' with ':' for each hole. A route that cannot be read from the source is an error. */
export function sentOperations(): ReadonlySet<string> {
  const found = new Set<string>()
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.ts'))) {
    const text = readFileSync(join(folder, name), 'utf8')
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
    for (const operation of operationsIn(file)) found.add(operation)
  }
  return found
}

function operationsIn(file: ts.SourceFile): string[] {
  const constants = new Map<string, string>()
  const found: string[] = []
  const textOf = (node: ts.Expression): string | undefined => {
    if (ts.isStringLiteralLike(node)) return node.text
    if (ts.isIdentifier(node)) return constants.get(node.text)
    if (!ts.isTemplateExpression(node)) return undefined
    const parts = node.templateSpans.map((span) => {
      const value = textOf(span.expression)
      return value === undefined ? undefined : value + span.literal.text
    })
    return parts.includes(undefined) ? undefined : node.head.text + parts.join('')
  }
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      const value = textOf(node.initializer)
      if (value !== undefined) constants.set(node.name.text, value)
    }
    if (ts.isObjectLiteralExpression(node)) {
      const method = valueOf(node, 'method')
      const route = valueOf(node, 'route')
      const words = method && textOf(method)
      const path = route && textOf(route)
      if (words !== undefined && path !== undefined) found.push(named(words, path))
    }
    if (ts.isCallExpression(node)) {
      for (const [index, argument] of node.arguments.entries()) {
        const next = node.arguments[index + 1]
        const path = next && textOf(next)
        if (ts.isStringLiteral(argument) && METHODS.has(argument.text) && path !== undefined)
          found.push(named(argument.text, path))
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Methods that are passed on to a function that writes the call down, followed by the route. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

function named(method: string, route: string): string {
  return `${method} /${route.replaceAll(/\{\w+\}/g, ':')}`
}

function valueOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const property of node.properties) {
    if (property.name === undefined || !ts.isIdentifier(property.name) || property.name.text !== name)
      continue
    if (ts.isPropertyAssignment(property)) return property.initializer
    if (ts.isShorthandPropertyAssignment(property)) return property.name
  }
  return undefined
}
