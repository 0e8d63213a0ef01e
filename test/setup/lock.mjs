/**
 * A lock between processes, held by a live process: a dead holder's is taken over at once.
 * Plain JavaScript, because prepare.mjs uses it before anything is installed.
 *
 * The folder holds files named 1, 2, 3 …; the highest is the lock. Its content names the holder, or says that it
 * is free. Numbers never go back, so a process that read an old state can at most make a lower number, which it
 * sees and gives up. (Deleting a stale lock file has a race: two processes delete, the second the first's new one.)
 */
import { link, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 200
/** A holder on another machine (a shared cache folder) cannot be asked whether it lives. */
const FOREIGN_STALE_MS = 30 * 60_000
let made = 0

/** Runs `work` while this process holds the lock in `folder`; `waiting(pid)` is called once if another holds it. */
export async function withLock(folder, work, waiting = () => {}) {
  const release = await acquire(folder, waiting)
  try {
    return await work()
  } finally {
    await release()
  }
}

async function acquire(folder, waiting) {
  await mkdir(folder, { recursive: true })
  const mine = await writeOwner(folder, {
    pid: process.pid,
    host: hostname(),
    started: await startOf(process.pid),
  })
  let told = false
  try {
    for (;;) {
      const top = await highest(folder)
      const holder = await holderOf(join(folder, String(top)), top)
      if (holder !== undefined) {
        if (!told && holder.pid !== undefined) {
          told = true
          waiting(holder.pid)
        }
        await sleep(POLL_MS)
        continue
      }
      const taken = join(folder, String(top + 1))
      if (!(await linked(mine, taken))) continue
      if ((await highest(folder)) === top + 1) {
        await removeBelow(folder, top + 1)
        return async () => rename(await writeOwner(folder, { free: true }), taken)
      }
      await rm(taken, { force: true })
    }
  } finally {
    await rm(mine, { force: true })
  }
}

async function writeOwner(folder, owner) {
  const path = join(folder, `.${hostname()}-${process.pid}-${++made}`)
  await writeFile(path, JSON.stringify(owner))
  return path
}

async function turns(folder) {
  return (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number)
}

async function highest(folder) {
  return Math.max(0, ...(await turns(folder)))
}

async function removeBelow(folder, turn) {
  for (const old of await turns(folder)) if (old < turn) await rm(join(folder, String(old)), { force: true })
}

/** The live holder; undefined when the lock is free or its holder is dead. */
async function holderOf(path, turn) {
  if (turn === 0) return undefined
  let owner
  try {
    owner = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return {} // replaced meanwhile by a higher one: look again
    return undefined
  }
  if (owner.free) return undefined
  if (owner.host !== hostname()) return (await ageOf(path)) < FOREIGN_STALE_MS ? owner : undefined
  if (!alive(owner.pid)) return undefined
  const started = await startOf(owner.pid)
  return owner.started !== undefined && started !== undefined && owner.started !== started ? undefined : owner
}

async function ageOf(path) {
  try {
    return Date.now() - (await stat(path)).mtimeMs
  } catch {
    return 0
  }
}

function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** When a process started, in kernel ticks, so that a reused pid is not taken for the holder; Linux only. */
async function startOf(pid) {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

async function linked(from, to) {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}
