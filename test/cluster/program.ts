/** The operator as people run it: the bundle, as a child process, under its shipped RBAC. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Program {
  readonly process: ChildProcess
  readonly lines: string[]
  readonly healthPort: number
  readonly metricsPort: number
  /** Resolves with the exit code, or the signal's name. */
  readonly ended: Promise<number | string>
  /** Resolves when a log line with this message was printed. */
  logged(message: string): Promise<void>
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | string>
}

/** Starts `run` with flags and waits until it has started (not until it leads). */
export async function startProgram(bundle: string, flags: readonly string[]): Promise<Program> {
  // For a profile: OPERATOR_NODE_FLAGS='--cpu-prof --cpu-prof-dir=…'.
  const nodeFlags = process.env['OPERATOR_NODE_FLAGS']?.split(' ') ?? []
  const child = spawn(process.execPath, [...nodeFlags, bundle, 'run', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lines: string[] = []
  const waiting: { readonly message: string; readonly resolve: () => void }[] = []
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line)
    for (const each of waiting) if (messageOf(line) === each.message) each.resolve()
  })
  const logged = (message: string): Promise<void> => {
    if (lines.some((line) => messageOf(line) === message)) return Promise.resolve()
    const seen = new Promise<void>((resolve) => waiting.push({ message, resolve }))
    const failed = ended.then((code) => {
      throw new Error(
        `the operator ended with ${code} before it logged "${message}":\n${lines.slice(-20).join('\n')}`,
      )
    })
    return Promise.race([seen, failed])
  }
  await logged('started')
  const started = lines.map(fieldsOf).find((each) => each['message'] === 'started') ?? {}
  return {
    process: child,
    lines,
    healthPort: Number(started['healthPort']),
    metricsPort: Number(started['metricsPort']),
    ended,
    logged,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}

function fieldsOf(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return { message: line }
  }
}

function messageOf(line: string): unknown {
  return fieldsOf(line)['message']
}
