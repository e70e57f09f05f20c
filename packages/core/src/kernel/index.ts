// Tools that every room may use: time, ids, logs, limits. Nothing here knows what a message is.

export { systemClock } from './clock.js'
export { randomIds, type Ids } from './ids.js'
export { stopReason } from './stop-reason.js'
