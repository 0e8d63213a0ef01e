/** One server process of the control plane: started detached, its output in a file, stopped by its pid. */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Watchdog } from './watchdog.ts'

export interface Child {
  name: string
  pid: number
  running(): boolean
  /** Sends the signal, waits for the end, and sends SIGKILL after `limitMs`. Does nothing when it has ended. */
  stop(signal: NodeJS.Signals, limitMs: number): Promise<void>
  /** Polls until `ready` is true. Fails with the end of the log when the process ends or `limitMs` have passed. */
  until(ready: () => Promise<boolean>, limitMs: number): Promise<void>
}

const pollMs = 25
/** A wrong flag is told first, before the usage; everything else last. */
const firstLines = 3
const lastLines = 15

/** Starts `command` in its own process group (Ctrl-C does not reach it); output goes to `<name>.log` in `directory`. */
export function startChild(
  name: string,
  command: string,
  args: readonly string[],
  directory: string,
  watchdog: Watchdog,
): Child {
  const logFile = join(directory, `${name}.log`)
  const log = openSync(logFile, 'a')
  const child = spawn(command, args, { cwd: directory, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  const pid = child.pid
  let end: string | undefined
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      end = error.message
      resolve()
    })
    child.once('exit', (code, signal) => {
      end = signal === null ? `code ${code ?? '?'}` : signal
      if (pid !== undefined) watchdog.drop(pid)
      resolve()
    })
  })
  if (pid === undefined) throw new Error(`${name} did not start: ${command} cannot be run`)
  watchdog.add(pid)
  child.unref() // a program that forgets to stop ends all the same, and the watchdog cleans up

  return {
    name,
    pid,
    running: () => end === undefined,
    stop: async (signal, limitMs) => {
      if (end !== undefined) return
      child.ref()
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), limitMs)
      await ended
      clearTimeout(timer)
    },
    until: async (ready, limitMs) => {
      const deadline = performance.now() + limitMs
      while (!(await ready())) {
        const late = performance.now() > deadline
        if (end === undefined && !late) {
          await sleep(pollMs)
          continue
        }
        const what = end === undefined ? `was not ready within ${limitMs / 1000} s` : `ended with ${end}`
        throw new Error(`${name} ${what}. From ${logFile}:\n${await excerpt(logFile)}`)
      }
    },
  }
}

async function excerpt(file: string): Promise<string> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).trimEnd().split('\n')
  if (lines.length <= firstLines + lastLines) return lines.join('\n')
  return [...lines.slice(0, firstLines), '…', ...lines.slice(-lastLines)].join('\n')
}
