/** A thread with one operator in it, asked one plan after the other. */
import { Worker } from 'node:worker_threads'
import type { Answer, Task, WorkerSettings } from './worker.ts'

export interface Bench {
  /** Rejects when the thread breaks or does not answer in time. One at a time. */
  judge(task: Task): Promise<Answer>
  close(): Promise<void>
}

/** Of real time: a run takes a second or so. */
const LIMIT_MS = 180_000

/** Rejects when the operator cannot be loaded. */
export async function openBench(settings: WorkerSettings): Promise<Bench> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: settings, execArgv: [] })
  await reply(worker)
  return {
    judge: (task) => {
      worker.postMessage(task)
      return reply(worker) as Promise<Answer>
    },
    close: async () => {
      await worker.terminate()
    },
  }
}

function reply(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error('no answer in time'))), LIMIT_MS)
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      worker.off('message', answered).off('error', failed)
      act()
    }
    const answered = (value: unknown): void => settle(() => resolve(value))
    const failed = (error: Error): void => settle(() => reject(error))
    worker.on('message', answered).on('error', failed)
  })
}
