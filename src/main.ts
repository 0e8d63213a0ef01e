/** The command line. */
import { systemClock } from './loop/clock.ts'

const USAGE = `usage: cloud-operator <command>
  run        keep the cloud equal to the custom resources of a cluster (default); --help lists its flags
  simulate   serve the simulated cloud service; --help lists its flags
  version    print the version`

const NODE_MAJOR = 24

/** Set by the bundler. */
declare const CLOUD_OPERATOR_VERSION: string | undefined

async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args
  const command = first === '-h' || first === '--help' ? 'help' : first === '--version' ? 'version' : first
  if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR) {
    return complain(`cloud-operator needs Node ${NODE_MAJOR} or newer; this is ${process.version}`)
  }
  if (command === undefined || command.startsWith('--')) {
    return run(args)
  }
  switch (command) {
    case 'run':
      return rest.includes('--help') ? print((await import('./config.ts')).RUN_USAGE) : run(rest)
    case 'simulate':
      return (await import('./simulator/main.ts')).runSimulate(rest)
    case 'version':
      return print(typeof CLOUD_OPERATOR_VERSION === 'string' ? CLOUD_OPERATOR_VERSION : 'unbundled')
    case 'help':
      return print(USAGE)
    default:
      return complain(`cloud-operator: unknown command "${command}"; known are run, simulate and version`)
  }
}

/** The operator is loaded only here: the other commands start in a third of the time and memory without it. */
async function run(args: readonly string[]): Promise<number> {
  const [
    { ConfigError, readConfig },
    { CredentialsError },
    { startOperator },
    { createLog },
    { createRedactor },
  ] = await Promise.all([
    import('./config.ts'),
    import('./kube/credentials.ts'),
    import('./operator.ts'),
    import('./telemetry/log.ts'),
    import('./telemetry/redact.ts'),
  ])
  try {
    const config = readConfig(args)
    const redactor = createRedactor()
    const log = createLog({ level: config.logLevel, redactor })
    const signal = stopSignal()
    const operator = await startOperator({ config, clock: systemClock, log, redactor })
    log.info({ healthPort: operator.healthPort, metricsPort: operator.metricsPort }, 'started')
    const reason = await Promise.race([signal, operator.lost.then((text) => ({ lost: text }))])
    if (typeof reason === 'object') log.error({ reason: reason.lost }, 'the lease was lost; stopping')
    else log.info({ signal: reason }, 'stopping')
    await operator.stop()
    // A call that was given up after the drain time still holds its connection open.
    process.exit(typeof reason === 'object' ? 1 : 0)
  } catch (error) {
    if (error instanceof ConfigError || error instanceof CredentialsError)
      return complain(`cloud-operator: ${error.message}`)
    throw error
  }
}

function stopSignal(): Promise<'SIGTERM' | 'SIGINT'> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name))
  })
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

/** One clear line; 2 is the exit code of everything that is wrong with how the program was called. */
function complain(line: string): number {
  process.stderr.write(`${line}\n`)
  return 2
}

process.exitCode = await main(process.argv.slice(2))
if (process.exitCode !== 0) process.exit()
