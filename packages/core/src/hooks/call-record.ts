import type { Clock, Logger } from '@hermes/plugin-sdk'
import { redactError, runFor, type Culprit, type LateFailureWatch, type Redactor } from '../kernel/index.js'
import type { HookHealth } from './hook-health.js'

/** After a time-out a tap is left out for so long. */
const suppressionMs = 60_000
const longestMessage = 200
/** Different failures in one place that are warned of. */
const mostWarnings = 100

/** What a record needs of the house. */
export interface RecordPorts {
  readonly clock: Clock
  readonly logger: Logger
  readonly redact: Redactor['redact']
  /** Watches over what plugins start. Absent: nobody does. */
  readonly watch?: LateFailureWatch | undefined
}

/** Code of a plugin, and where it is called: a hook, `tool:weather`, `register`. */
export interface CodePlace {
  readonly owner: string
  readonly hook: string
}

/**
 * What happened in one place where code of a plugin is called: counted for the health, and told in the log, once for each kind of failure
 * and then for debugging only.
 */
export class CallRecord implements Culprit {
  readonly #place: CodePlace
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

  constructor(place: CodePlace, ports: RecordPorts) {
    this.#place = place
    this.#ports = ports
  }

  /** Did anything happen that the health tells? */
  get isBlank(): boolean {
    return this.#calls === 0 && this.#failures === 0
  }

  /** Runs code of the plugin, so that what it breaks later is told here. */
  run<A extends readonly unknown[], R>(call: (...args: A) => R, ...args: A): R {
    return runFor(this, call, ...args)
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
    if (since !== undefined) this.#lastDurationMs = this.#ports.clock.now() - since
    return this.#note(error, 'Code of a plugin failed.')
  }

  failedLate(error: unknown): boolean {
    if (!this.#ports.watch?.isOpen) return false
    this.#note(error, 'Code of a plugin failed when nobody waited for it any more; everything else goes on.')
    return true
  }

  timedOut(): void {
    this.#timeouts++
  }

  /** It is to be left out for a while. */
  suppress(): void {
    this.#suppressedUntil = this.#ports.clock.now() + suppressionMs
  }

  dropped(): void {
    this.#dropped++
  }

  isSuppressed(): boolean {
    return this.#suppressedUntil !== 0 && this.#suppressedUntil > this.#ports.clock.now()
  }

  health({ pending, isDisposed }: { readonly pending: number; readonly isDisposed: boolean } = { pending: 0, isDisposed: false }): HookHealth {
    const isSuppressed = this.isSuppressed()
    const calling = isSuppressed ? 'suppressed' : this.#consecutiveFailures > 0 ? 'degraded' : 'ok'
    return {
      hook: this.#place.hook,
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

  #note(error: unknown, told: string): string {
    const safe = redactError(error, this.#ports.redact)
    const message = safe.message.slice(0, longestMessage)
    this.#failures++
    this.#consecutiveFailures++
    this.#lastError = { name: safe.name.slice(0, longestMessage), message, at: this.#ports.clock.now() }
    const kind = `${safe.name}: ${message}`
    const isNew = !this.#warned.has(kind) && this.#warned.size < mostWarnings
    if (isNew) this.#warned.add(kind)
    const fields = { plugin: this.#place.owner, hook: this.#place.hook, error: safe }
    this.#ports.logger[isNew ? 'warn' : 'debug'](fields, told)
    return message
  }
}
