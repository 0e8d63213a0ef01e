/** What a pass asks for next. Nothing: only an event wakes the key again. */
export interface Outcome {
  readonly afterMs?: number
  readonly priority?: 'retry' | 'requeue' | 'resync'
}
