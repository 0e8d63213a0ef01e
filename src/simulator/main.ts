/** The command `simulate`: the simulated service as a program of its own. */
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { startSimulator, type SimulatorOptions } from './server.ts'
import type { Timing } from './timing.ts'

const USAGE = `cloud-operator simulate: serves the simulated cloud service on loopback
  --port N         default: a free one
  --admin-port N   control: call log, faults, inventory; default: a free one
  --host ADDRESS   default: 127.0.0.1
  --profile NAME   extended (as deployed) or documented (only what the interface states); default: extended
  --timing T       instant, real, or a factor of real such as 0.1; default: instant
  --seed N         same seed and calls, same ids; default: 1
  --api-key KEY    the first account's key; default: drawn from the seed
`

/** Runs until SIGINT or SIGTERM. Resolves with the exit code: 0, 1 when it cannot listen, 2 on a wrong flag. */
export async function runSimulate(args: string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE)
    return 0
  }
  let options: SimulatorOptions
  try {
    options = readFlags(args)
  } catch (error) {
    process.stderr.write(`simulate: ${messageOf(error)}\n`)
    return 2
  }
  // Much is kept, and what a long list leaves behind should go soon: by itself the heap would grow to three times that.
  setFlagsFromString('--optimize-for-size')
  setFlagsFromString('--semi-space-growth-factor=1')
  const stopped = untilSignal()
  try {
    const simulator = await startSimulator(options)
    process.stdout.write(
      [
        `url:       ${simulator.url}`,
        `admin url: ${simulator.adminUrl}`,
        `api key:   ${simulator.apiKey}`,
        `location:  ${simulator.location}`,
        '',
      ].join('\n'),
    )
    await stopped.signal
    await simulator.stop()
    return 0
  } catch (error) {
    process.stderr.write(`simulate: ${messageOf(error)}\n`)
    return 1
  } finally {
    stopped.end()
  }
}

function readFlags(args: string[]): SimulatorOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    strict: true,
    allowPositionals: false,
    options: {
      ...{ port: text, 'admin-port': text, host: text, profile: text },
      ...{ timing: text, seed: text, 'api-key': text },
    },
  })
  return {
    port: whole('--port', values.port, 65_535) ?? 0,
    adminPort: whole('--admin-port', values['admin-port'], 65_535) ?? 0,
    host: values.host ?? '127.0.0.1',
    profile: profileOf(values.profile ?? 'extended'),
    timing: timingOf(values.timing ?? 'instant'),
    seed: whole('--seed', values.seed, 2 ** 31) ?? 1,
    ...(values['api-key'] !== undefined && { apiKey: values['api-key'] }),
  }
}

function whole(flag: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text)
  throw new Error(`${flag} must be a whole number up to ${most}, not ${text}`)
}

function profileOf(text: string): 'extended' | 'documented' {
  if (text === 'extended' || text === 'documented') return text
  throw new Error(`--profile must be extended or documented, not ${text}`)
}

/** 'instant', 'real', or a number that real times are multiplied with. */
function timingOf(text: string): Timing {
  if (text === 'instant' || text === 'real') return text
  const scale = Number(text)
  if (text !== '' && Number.isFinite(scale) && scale >= 0) return { scale }
  throw new Error(`--timing must be instant, real or a factor such as 0.1, not ${text}`)
}

function untilSignal(): { signal: Promise<void>; end: () => void } {
  let heard: () => void = () => undefined
  const signal = new Promise<void>((resolve) => {
    heard = resolve
  })
  process.once('SIGINT', heard)
  process.once('SIGTERM', heard)
  const end = (): void => {
    process.off('SIGINT', heard)
    process.off('SIGTERM', heard)
  }
  return { signal, end }
}

/** One line: some of node's messages have more. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split(/\.? To specify|\n/)[0] ?? text
}
