/**
 * npm run test:model -- [kind]
 * Walks from every state of every kind, or of one, and prints what came of it. Nothing here listens or waits.
 */
import { MODELS } from './models.ts'
import { tableOf, troubleOf } from './table.ts'

const [only] = process.argv.slice(2)
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const chosen = MODELS.filter(({ kind }) => only === undefined || kind === only)
const checked = chosen.map((each) => each.check())
for (const line of tableOf(checked)) say(line)
const trouble = checked.flatMap(troubleOf)
for (const line of trouble) say(line)
if (chosen.length === 0 || trouble.length > 0) process.exitCode = 1
