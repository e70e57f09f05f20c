import type { Log, Logger } from '@hermes/plugin-sdk'
import { destination as openDestination, pino, stdTimeFunctions } from 'pino'
import { describeValue } from './describe-value.js'
import type { Redactor } from './redactor.js'

/** Where lines go. Each is one JSON object and ends with a newline. */
export interface LogDestination {
  write(line: string): void
}

/** What `createLogger` takes. */
export interface LoggerOptions {
  readonly redactor: Redactor
  /** The least level that is written. Default `info`. */
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent' | undefined
  /** Default: standard output, written in the background. */
  readonly destination?: LogDestination | undefined
}

/** The log as lines of JSON: level, time, fields, message. It never throws; a line that cannot be written is lost. */
export function createLogger(options: LoggerOptions): Logger {
  const settings = { level: options.level ?? 'info', base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: labelLevel } }
  const logger = pino(settings, options.destination ?? standardOutput())
  const { debug, info, warn, error } = redactLogger(logger, options.redactor)
  // What is below the level must not cost the description of its fields.
  const heard = (level: keyof Logger, log: Log): Log => (logger.isLevelEnabled(level) ? log : ignore)
  return { debug: heard('debug', debug), info: heard('info', info), warn: heard('warn', warn), error: heard('error', error) }
}

function ignore(): void {}

function labelLevel(label: string): { level: string } {
  return { level: label }
}

function standardOutput(): LogDestination {
  const stream = openDestination({ dest: 1, sync: false })
  // Without a listener a full disk behind a redirected output would end the process.
  stream.on('error', () => {})
  return stream
}

/**
 * Any logger, told only what may be told: fields become bounded plain data, secrets are taken out of fields and message. Never
 * throws, whatever comes in and whatever `logger` does.
 */
export function redactLogger(logger: Logger, redactor: Redactor): Logger {
  const { redact } = redactor
  const log = (level: keyof Logger): Log => {
    return (fields, message) => {
      try {
        const described = describeValue(fields instanceof Error ? { error: fields } : fields, redact)
        logger[level](typeof described === 'object' && described !== null ? described : { value: described }, redact(message))
      } catch {
        // A log that cannot be written must not break what it tells of.
      }
    }
  }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}

/** The same log with these fields on every line: whose it is. A field that the line gives itself wins. */
export function loggerFor(logger: Logger, owner: object): Logger {
  const log = (level: keyof Logger): Log => {
    return (fields, message) => logger[level](joinFields(owner, fields), message)
  }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}

function joinFields(owner: object, fields: object): object {
  if (fields instanceof Error) return { ...owner, error: fields }
  try {
    return { ...owner, ...fields }
  } catch {
    return { ...owner, fields }
  }
}
