/**
 * Ends the control plane's processes when the process that started them is gone, by whatever end, SIGKILL included.
 *
 * A small shell reads our pipe. When we end, the kernel closes the pipe, and the shell kills what was added to it and
 * removes the directory. So no exit or signal hooks are needed, and none can be missed.
 */
import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'

export interface Watchdog {
  pid: number
  /** From now on `pid` does not outlive this process. */
  add(pid: number): void
  /** `pid` has ended; its number may be given to another process. */
  drop(pid: number): void
  /** Nothing is watched any more; resolves when the watchdog has ended. */
  end(): Promise<void>
}

// SIGKILL: the data is thrown away with the directory, so there is nothing to end in order.
const script = `
pids=
while read -r verb pid; do
  case $verb in
    add) pids="$pids $pid" ;;
    drop) kept=; for p in $pids; do [ "$p" = "$pid" ] || kept="$kept $p"; done; pids=$kept ;;
    end) exit 0 ;;
  esac
done
[ -z "$pids" ] || kill -KILL $pids
rm -rf -- "$1" || { sleep 1; rm -rf -- "$1"; }
`

/** Starts the watchdog, in a process group of its own so that Ctrl-C does not reach it. */
export function startWatchdog(directory: string): Watchdog {
  const child = spawn('/bin/sh', ['-c', script, 'control-plane-watchdog', directory], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  if (child.pid === undefined) throw new Error('the watchdog of the control plane did not start')
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.unref()
  unrefPipe(child.stdin)
  child.stdin.on('error', () => undefined) // the watchdog was killed: nothing to tell it
  return {
    pid: child.pid,
    add: (pid) => void child.stdin.write(`add ${pid}\n`),
    drop: (pid) => void child.stdin.write(`drop ${pid}\n`),
    end: () => {
      child.ref()
      child.stdin.end('end\n')
      return ended
    },
  }
}

function unrefPipe(pipe: Writable): void {
  if (pipe instanceof Socket) pipe.unref()
}
