/** The operator as people run it: the bundle in a process of its own, which can be killed and stopped at any moment. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Child {
  /** 1 for the first of a case. */
  readonly number: number
  readonly pid: number
  alive(): boolean
  /** When it died, in milliseconds of this process; undefined while it lives. */
  diedAt(): number | undefined
  /** It reconciles, as far as it said. */
  working(): boolean
  /** It stands still, and will go on. */
  paused(): boolean
  /** SIGKILL. */
  kill(): void
  /** SIGSTOP, and SIGCONT after so many milliseconds. */
  pause(ms: number): void
  readonly ended: Promise<unknown>
}

export interface ChildOptions {
  readonly number: number
  readonly bundle: string
  readonly flags: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly line: (text: string) => void
  readonly complain: (level: 'warn' | 'error', text: string) => void
  /** It ended by itself. */
  readonly gone: (code: number | string) => void
}

export function startChild(o: ChildOptions): Child {
  const { number, bundle, flags, environment, line, complain, gone } = o
  const child = spawn(process.execPath, [bundle, 'run', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // The name of the lease's holder says which process it is.
    env: { ...process.env, ...environment, POD_NAME: `process-${number}` },
  })
  child.once('error', (error) => complain('error', `the operator did not start: ${error.message}`))
  if (child.pid === undefined) throw new Error(`${bundle} did not start`)
  let diedAt: number | undefined
  const alive = (): boolean => diedAt === undefined
  let reconciling = false
  let paused = 0
  createInterface({ input: child.stderr }).on('line', (text) => {
    line(text)
    const { level, message, ...rest } = fieldsOf(text)
    if (message === 'reconciling') reconciling = true
    // What main says after the lease itself.
    if (message === LOST) return
    if (level === 'warn' || level === 'error') complain(level, complaint(message, rest))
    else if (level === undefined) complain('error', text)
  })
  const ended = once(child, 'exit').then(([code, signal]) => {
    const byItself = alive()
    diedAt ??= performance.now()
    if (byItself) gone((code ?? signal) as number | string)
  })
  return {
    number,
    pid: child.pid,
    alive,
    diedAt: () => diedAt,
    working: () => alive() && reconciling && paused === 0,
    paused: () => alive() && paused > 0,
    kill: () => {
      diedAt ??= performance.now()
      child.kill('SIGKILL')
    },
    pause: (ms) => {
      if (!alive()) return
      paused += 1
      child.kill('SIGSTOP')
      setTimeout(() => {
        paused -= 1
        if (paused === 0) child.kill('SIGCONT')
      }, ms)
    },
    ended,
  }
}

const LOST = 'the lease was lost; stopping'

function complaint(message: unknown, { error, time, ...rest }: Record<string, unknown>): string {
  const stack = (error as { stack?: unknown } | undefined)?.stack
  const cause = typeof stack === 'string' ? ` ${stack}` : ''
  return `${String(message)} ${JSON.stringify(rest)}${cause}${time === undefined ? ' (without a time)' : ''}`
}

function fieldsOf(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return { message: line }
  }
}
