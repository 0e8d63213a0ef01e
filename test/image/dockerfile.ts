/** The instructions of the repository's Dockerfile, stage by stage: what a rehearsal without a container engine carries out. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Instruction {
  readonly word: string
  readonly rest: string
}

export interface Stage {
  readonly name: string
  readonly instructions: readonly Instruction[]
}

export const repository = join(import.meta.dirname, '../..')

export function readStages(path = join(repository, 'Dockerfile')): readonly Stage[] {
  const stages: { name: string; instructions: Instruction[] }[] = []
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (word === 'FROM') stages.push({ name: / AS (\w+)/.exec(rest)?.[1] ?? 'final', instructions: [] })
    else if (word !== '' && word !== 'ARG') stages.at(-1)?.instructions.push({ word, rest })
  }
  return stages
}

/** A stage by name; fails when the Dockerfile has none. */
export function stageNamed(name: string): Stage {
  const stage = readStages().find((each) => each.name === name)
  if (stage === undefined) throw new Error(`the Dockerfile has no stage ${name}`)
  return stage
}
