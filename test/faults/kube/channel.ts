/** Chunks from one side to an async iteration on the other. */
export interface Channel {
  readonly chunks: AsyncIterable<Uint8Array>
  push(chunk: Uint8Array): void
  end(): void
  fail(error: Error): void
}

export function createChannel(): Channel {
  const waiting: Uint8Array[] = []
  let over: 'ended' | Error | undefined
  let wake: (() => void) | undefined

  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = waiting.shift()
      if (chunk !== undefined) {
        yield chunk
        continue
      }
      if (over === 'ended') return
      if (over !== undefined) throw over
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  const stir = (): void => {
    wake?.()
    wake = undefined
  }
  return {
    chunks: read(),
    push: (chunk) => {
      if (over !== undefined) return
      waiting.push(chunk)
      stir()
    },
    end: () => {
      over ??= 'ended'
      stir()
    },
    fail: (error) => {
      over ??= error
      stir()
    },
  }
}
