/** Programs of this repository as child processes: in process groups of their own, so that Ctrl-C reaches only us. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Watchdog } from '../controlplane/watchdog.ts'

export interface Program {
  readonly name: string
  readonly pid: number
  /** Path of what it prints. */
  readonly logFile: string
  /** The last lines it printed. */
  tail(count: number): readonly string[]
  /** The first value that `find` gives for a line. Rejects when the program ends before or with the signal. */
  printed<T>(find: (line: string) => T | undefined, signal: AbortSignal): Promise<T>
  /** Resolves with 'code 1' or the name of a signal. */
  readonly ended: Promise<string>
  /** Asks it to end; kills it after `limitMs`. May be called again. */
  stop(limitMs: number): Promise<void>
}

const keptLines = 200

/** Runs a JavaScript file with this node. It does not outlive us, whatever ends us. */
export function startProgram(
  name: string,
  args: readonly string[],
  directory: string,
  watchdog: Watchdog,
): Program {
  const logFile = join(directory, `${name}.log`)
  const child = spawn(process.execPath, args, {
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`the ${name} did not start: ${process.execPath} cannot be run`)
  watchdog.add(pid)
  const lines: string[] = []
  const listeners = new Set<(line: string) => void>()
  const file = createWriteStream(logFile)
  eachLine([child.stdout, child.stderr], (line) => {
    file.write(`${line}\n`)
    lines.push(line)
    if (lines.length > keptLines) lines.shift()
    for (const listener of listeners) listener(line)
  })
  const ended = untilEnd(child).then((how) => {
    watchdog.drop(pid)
    file.end()
    return how
  })
  const tail = (count: number) => lines.slice(-count)
  return {
    name,
    pid,
    logFile,
    tail,
    ended,
    printed: <T>(find: (line: string) => T | undefined, signal: AbortSignal) =>
      new Promise<T>((resolve, reject) => {
        const look = (line: string): void => {
          const found = find(line)
          if (found === undefined) return
          for (const end of ends) end()
          resolve(found)
        }
        const ends = [rejectOnAbort(signal, reject), () => listeners.delete(look)]
        listeners.add(look)
        for (const line of [...lines]) look(line)
        void ended.then((how) => reject(new Error(`the ${name} ended with ${how}:\n${tail(15).join('\n')}`)))
      }),
    stop: async (limitMs) => {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/**
 * Runs a script of test/ to its end and passes on what it says; its temporary files go to `directory`. With the signal,
 * it and all it started are asked to end, and waited for. Rejects when it fails.
 */
export async function runScript(
  script: string,
  say: (line: string) => void,
  directory: string,
  watchdog: Watchdog,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const child = spawn(process.execPath, [script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A compiler that is interrupted leaves them.
    env: { ...process.env, TMPDIR: directory, GOTMPDIR: directory },
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${script} did not start`)
  watchdog.add(-pid) // the whole group: compilers too
  eachLine([child.stdout, child.stderr], say)
  const interrupt = () => signalGroup(pid, 'SIGINT')
  signal.addEventListener('abort', interrupt)
  const how = await untilEnd(child)
  signal.removeEventListener('abort', interrupt)
  if (signal.aborted) await endGroup(pid)
  watchdog.drop(-pid)
  signal.throwIfAborted()
  if (how !== 'code 0') throw new Error(`${script} ended with ${how}`)
}

const groupLimitMs = 10_000
const groupPollMs = 20

/** Waits until nothing of an interrupted group runs; kills what is left after a while. */
async function endGroup(pid: number): Promise<void> {
  const deadline = performance.now() + groupLimitMs
  while (signalGroup(pid, performance.now() > deadline ? 'SIGKILL' : 0)) await sleep(groupPollMs)
}

/** False when there is no such group. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

/** Rejects with the signal's reason, unless the returned function is called before. */
export function rejectOnAbort(signal: AbortSignal, reject: (error: Error) => void): () => void {
  const aborted = () => {
    const reason: unknown = signal.reason
    reject(reason instanceof Error ? reason : new Error(String(reason)))
  }
  if (signal.aborted) aborted()
  else signal.addEventListener('abort', aborted)
  return () => signal.removeEventListener('abort', aborted)
}

function eachLine(streams: readonly Readable[], listener: (line: string) => void): void {
  for (const input of streams) createInterface({ input }).on('line', listener)
}

function untilEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    // Not exit: then all it printed has been read.
    child.once('close', (code, signal) => resolve(signal ?? `code ${code ?? '?'}`))
  })
}
