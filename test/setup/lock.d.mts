/** Runs `work` while this process holds the lock in `folder`; `waiting(pid)` is called once if another holds it. */
export function withLock<T>(
  folder: string,
  work: () => Promise<T>,
  waiting?: (pid: number) => void,
): Promise<T>
