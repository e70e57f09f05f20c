import type { Log, Logger } from '@hermes/plugin-sdk'

const levels = ['debug', 'info', 'warn', 'error'] as const

/** A logger that writes a line of JSON for everything from `least` up. */
export function lineLogger(least: (typeof levels)[number], write: (line: string) => void): Logger {
  const log = (level: (typeof levels)[number]): Log => {
    if (levels.indexOf(level) < levels.indexOf(least)) return () => {}
    return (fields, message) => write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`)
  }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}
