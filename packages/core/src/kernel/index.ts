// Tools that every room may use: time, ids, logs, limits. Nothing here knows what a message is.

export { systemClock } from './clock.js'
export { findSecrets } from './find-secrets.js'
export { afterGrace, type LateSignal } from './grace.js'
export { randomIds, type Ids } from './ids.js'
export { isolate, type Isolated, type IsolationLimits } from './isolate.js'
export { createLogger, loggerFor, redactLogger, type LogDestination, type LoggerOptions } from './logger.js'
export { makeDirectory } from './make-directory.js'
export { notices } from './notices.js'
export { redactError } from './redact-error.js'
export { createRedactor, type Redactor } from './redactor.js'
export { registration } from './registration.js'
export { stopReason } from './stop-reason.js'
