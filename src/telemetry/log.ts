/**
 * What the process tells about itself: log, metrics, health. Knows neither Kubernetes nor the cloud,
 * and lets no secret value and (in metrics) no object name out.
 */
import { pino, type DestinationStream, type Logger } from 'pino'
import { createRedactor, type Redactor } from './redact.ts'

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
export type LogFields = Readonly<Record<string, unknown>>

/** An `error` field is written with its class, message, stack and causes. */
export interface Log {
  trace(fields: LogFields, message: string): void
  debug(fields: LogFields, message: string): void
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
  /** The same log with `fields` on every line. */
  child(fields: LogFields): Log
  /** Keeps `value` out of every later line, also when it stands inside an error's text. */
  hide(value: string): void
}

export interface LogOptions {
  readonly level: LogLevel
  /** Where lines go, one JSON object each; standard error when absent. */
  readonly destination?: { write(line: string): void }
  /** Shared with whatever else leaves the process (events, conditions); a fresh one when absent. */
  readonly redactor?: Redactor
}

/** A JSON log. Lines are cleaned as a whole, after serialisation: no path around the redaction. */
export function createLog(o: LogOptions): Log {
  const redactor = o.redactor ?? createRedactor()
  const destination: DestinationStream = o.destination ?? pino.destination({ dest: 2, sync: true })
  const logger = pino(
    {
      level: o.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      messageKey: 'message',
      errorKey: 'error',
      serializers: { error: pino.stdSerializers.errWithCause },
      hooks: { streamWrite: (line) => redactor.clean(line) },
    },
    destination,
  )
  return wrap(logger, redactor)
}

function wrap(logger: Logger, redactor: Redactor): Log {
  return {
    trace: (fields, message) => logger.trace(fields, message),
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (fields) => wrap(logger.child(fields), redactor),
    hide: (value) => redactor.hide(value),
  }
}

/** A log that writes nothing. */
export const silentLog: Log = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
  hide: () => undefined,
}
