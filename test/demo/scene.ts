/** What a chapter of the story has at hand: tell, act, wait, check. */
import { styleText } from 'node:util'
import type { Kind } from '../../src/api/group.ts'
import type { Inventory } from '../../src/simulator/inventory.ts'
import type { Call } from '../../src/simulator/calls.ts'
import type { Change } from '../../src/simulator/changes.ts'
import type { Calls } from './calls.ts'
import { isSettled, type AnyObject, type ObjectOf, type Objects } from './objects.ts'
import { rejectOnAbort } from './program.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { rowOf } from './table.ts'

export interface Scene {
  readonly stage: Stage
  readonly objects: Objects
  /** A sentence for people. */
  tell(text: string): void
  /** Prints the command, runs it, and rejects with kubectl's words when it fails. */
  kubectl(args: readonly string[], input?: string): Promise<void>
  /** The same for a command that is to be refused: what kubectl complained about. */
  refused(args: readonly string[]): Promise<string>
  /** Prints and makes a change in the cloud that the operator does not know of. */
  meddle(change: Change): Promise<void>
  /** Waits for a value; asked again whenever an object or the cloud has changed. Rejects when it is late. */
  until<T>(what: string, find: () => T | undefined): Promise<T>
  /** Waits until the object says that the cloud is as its present spec wants, and that the spec wants what `holds` says. */
  settled<K extends Kind>(
    kind: K,
    name: string,
    what: string,
    holds: (object: ObjectOf<K>) => boolean,
  ): Promise<ObjectOf<K>>
  /** Prints what was checked; rejects when it does not hold. */
  check(what: string, holds: boolean): void
  /** What the cloud holds, by its own account. */
  cloud(): Promise<Inventory>
  /** Changes made in the cloud since this chapter began. */
  changes(): readonly Call[]
}

/** A step that did not happen, or not in time. */
export class StoryFailed extends Error {
  override readonly name = 'StoryFailed'
}

export interface SceneOptions {
  readonly stage: Stage
  readonly objects: Objects
  readonly calls: Calls
  readonly screen: Screen
  readonly signal: AbortSignal
}

const limitMs = 90_000

/** A scene for one chapter. */
export function createScene({ stage, objects, calls, screen, signal }: SceneOptions): Scene {
  const begun = calls.lastSeq()
  const show = (command: string, args: readonly string[]) =>
    screen.line(styleText('bold', `  $ ${[command, ...args].map(quoted).join(' ')}`))
  const until = <T>(what: string, find: () => T | undefined): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const finish = (settle: () => void): void => {
        for (const end of ends) end()
        settle()
      }
      const look = (): void => {
        const found = find()
        if (found !== undefined) finish(() => resolve(found))
      }
      const timer = setTimeout(() => finish(() => reject(late(what, objects))), limitMs)
      const ends = [
        () => clearTimeout(timer),
        objects.subscribe(look),
        calls.subscribe(look),
        rejectOnAbort(signal, (error) => finish(() => reject(error))),
      ]
      look()
    })
  return {
    stage,
    objects,
    until,
    tell: (text) => screen.line(`  ${text}`),
    kubectl: async (args, input) => {
      show('kubectl', args)
      const { code, stderr } = await stage.kubectl(args, input)
      signal.throwIfAborted()
      if (code !== 0) throw new StoryFailed(`kubectl ended with ${code}: ${stderr.trim()}`)
    },
    refused: async (args) => {
      show('kubectl', args)
      const { code, stdout, stderr } = await stage.kubectl(args)
      signal.throwIfAborted()
      if (code === 0) throw new StoryFailed(`kubectl was not refused: ${stdout.trim()}`)
      screen.line(`    ${stderr.trim()}`)
      return stderr
    },
    meddle: async (change) => {
      show('curl', ['--silent', '--data', JSON.stringify(change), `${stage.simulator.adminUrl}/mutate`])
      await stage.admin.mutate(change)
    },
    settled: (kind, name, what, holds) =>
      until(`${kind}/${name}: ${what}`, () => {
        const object = objects.get(kind, name)
        return object !== undefined && isSettled(object) && holds(object) ? object : undefined
      }),
    check: (what, holds) => {
      if (!holds) throw new StoryFailed(`not so: ${what}`)
      screen.line(styleText('green', `  ✓ ${what}`))
    },
    cloud: () => stage.admin.inventory(),
    changes: () => calls.changesSince(begun),
  }
}

function late(what: string, objects: Objects): StoryFailed {
  const states = objects
    .list()
    .filter((each) => !isSettled(each))
    .map(stateOf)
  return new StoryFailed([`${what}: not within ${limitMs / 1000} s`, ...states].join('\n'))
}

function stateOf(object: AnyObject): string {
  const { kind, name, ready, reason, detail } = rowOf(object)
  return `  ${kind}/${name}: Ready=${ready || '?'} ${reason} ${detail}`
}

/** As a shell needs it. */
function quoted(word: string): string {
  return /^[\w./:=,@-]+$/.test(word) ? word : `'${word}'`
}
