/**
 * A free loopback port below the range from which the kernel takes ports for `listen(0)` and outgoing connections
 * (32768 and up on Linux, 49152 on macOS): the API server's port must stay free while a test has it stopped.
 */
import { createServer } from 'node:net'

const lowest = 20_000
const highest = 32_000

/** A port that nothing listens on. Another process may still take it before its use: try another one then. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await free(port)) return port
  }
}

function free(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
