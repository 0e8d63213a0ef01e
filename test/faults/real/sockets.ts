/** Whose a connection is. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Which of the processes has opened the loopback connection from `port` to `serverPort`, by the kernel's tables: its pid;
 * 'none' when none of them has it (any more); undefined where there are no such tables (they are Linux's).
 */
export function ownerOf(
  port: number,
  serverPort: number,
  pids: readonly number[],
): number | 'none' | undefined {
  const table = textOf('/proc/net/tcp')
  if (table === '') return undefined
  const inode = inodeIn(table, port, serverPort)
  return pids.find((pid) => holds(pid, `socket:[${inode ?? ''}]`)) ?? 'none'
}

function inodeIn(table: string, port: number, serverPort: number): string | undefined {
  const [from, to] = [port, serverPort].map((each) => `:${each.toString(16).toUpperCase().padStart(4, '0')}`)
  const line = table
    .split('\n')
    .map((each) => each.trim().split(/\s+/))
    .find(([, local = '', remote = '']) => local.endsWith(from ?? '') && remote.endsWith(to ?? ''))
  return line?.[9]
}

function holds(pid: number, socket: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === socket)
  } catch {
    return false
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
