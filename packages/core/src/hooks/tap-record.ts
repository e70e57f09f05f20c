import type { Clock, Logger } from '@hermes/plugin-sdk'
import { redactError, type Redactor } from '../kernel/index.js'
import type { HookHealth } from './hook-health.js'

/** After a time-out a tap is left out for so long. */
const suppressionMs = 60_000
const longestMessage = 200
/** Different failures of one tap that are warned of. */
const mostWarnings = 100

/** What a record needs of the house. */
export interface RecordPorts {
  readonly clock: Clock
  readonly logger: Logger
  readonly redact: Redactor['redact']
}

/** What happened to one tap: counted for the health, and told in the log, once for each kind of failure and then for debugging only. */
export class TapRecord {
  readonly #tap: { readonly owner: string; readonly hook: string }
  readonly #ports: RecordPorts
  readonly #warned = new Set<string>()
  #calls = 0
  #failures = 0
  #consecutiveFailures = 0
  #timeouts = 0
  #dropped = 0
  #lastError: HookHealth['lastError']
  #lastDurationMs: number | undefined
  #suppressedUntil = 0

  constructor(tap: { readonly owner: string; readonly hook: string }, ports: RecordPorts) {
    this.#tap = tap
    this.#ports = ports
  }

  began(): void {
    this.#calls++
  }

  /** `since`, of a call that went async: to read the clock for all others would cost more than most of them. */
  succeeded(since?: number): void {
    this.#consecutiveFailures = 0
    if (since !== undefined) this.#lastDurationMs = this.#ports.clock.now() - since
  }

  /** Answers with what may be said of it: no secret, at most 200 characters. Whatever was thrown, it does not throw. */
  failed(error: unknown, since?: number): string {
    const at = this.#ports.clock.now()
    const safe = redactError(error, this.#ports.redact)
    const message = safe.message.slice(0, longestMessage)
    this.#failures++
    if (since !== undefined) this.#lastDurationMs = at - since
    this.#consecutiveFailures++
    this.#lastError = { name: safe.name.slice(0, longestMessage), message, at }
    const kind = `${safe.name}: ${message}`
    const isNew = !this.#warned.has(kind) && this.#warned.size < mostWarnings
    if (isNew) this.#warned.add(kind)
    const fields = { plugin: this.#tap.owner, hook: this.#tap.hook, error: safe }
    this.#ports.logger[isNew ? 'warn' : 'debug'](fields, 'A tap of a hook failed.')
    return message
  }

  timedOut(): void {
    this.#timeouts++
    this.#suppressedUntil = this.#ports.clock.now() + suppressionMs
  }

  dropped(): void {
    this.#dropped++
  }

  isSuppressed(): boolean {
    return this.#suppressedUntil !== 0 && this.#suppressedUntil > this.#ports.clock.now()
  }

  health({ pending, isDisposed }: { readonly pending: number; readonly isDisposed: boolean }): HookHealth {
    const isSuppressed = this.isSuppressed()
    const calling = isSuppressed ? 'suppressed' : this.#consecutiveFailures > 0 ? 'degraded' : 'ok'
    return {
      hook: this.#tap.hook,
      state: isDisposed ? 'disposed' : calling,
      calls: this.#calls,
      failures: this.#failures,
      consecutiveFailures: this.#consecutiveFailures,
      timeouts: this.#timeouts,
      pending,
      dropped: this.#dropped,
      lastError: this.#lastError,
      lastDurationMs: this.#lastDurationMs,
      suppressedUntil: isSuppressed && !isDisposed ? this.#suppressedUntil : undefined,
    }
  }
}
