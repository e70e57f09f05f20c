import {
  HermesError,
  type Adapter,
  type AdapterContext,
  type AdapterFailure,
  type Clock,
  type CommandSpec,
  type InboundEvent,
  type Logger,
  type Receipt,
} from '@hermes/plugin-sdk'
import type { NativeWiring } from '../hooks/index.js'
import { isolate } from '../kernel/index.js'
import { soundFailure, toAdapterFailure } from './adapter-failure.js'

const connectTimeoutMs = 30_000
/** After so long a disconnect is told to hurry … */
const disconnectTimeoutMs = 5000
/** … and after so much more it is left behind. */
const hurryTimeoutMs = 2000

/** What one connection needs of its supervisor. */
export interface ConnectionPorts {
  readonly name: string
  readonly isReconnect: boolean
  readonly clock: Clock
  readonly logger: Logger
  receive(event: InboundEvent): Promise<Receipt>
  /** The platform handlers of plugins, for this connection. */
  readonly wiring: NativeWiring
  /** What the platform's menu is to show. */
  commands(): readonly CommandSpec[]
  /** It is well again (`undefined`), or it is not and says why. Also before it is connected. */
  onCondition(reason: string | undefined): void
}

/** One adapter object and its one connection. What the object does on its context after the end has no effect. */
export class AdapterConnection {
  readonly adapter: Adapter
  /** Resolves with what broke it, or with `undefined` when it was told to end. */
  readonly lost: Promise<AdapterFailure | undefined>
  readonly #ports: ConnectionPorts
  readonly #stallAfterMs: number | undefined
  readonly #ending = new AbortController()
  #failure: AdapterFailure | undefined
  #isWired = false
  #aliveAt: number

  constructor(adapter: Adapter, ports: ConnectionPorts) {
    this.adapter = adapter
    this.#stallAfterMs = adapter.stallAfterMs
    this.#ports = ports
    this.#aliveAt = ports.clock.now()
    this.lost = new Promise((resolve) => {
      this.#ending.signal.addEventListener('abort', () => resolve(this.#failure), { once: true })
    })
  }

  /** Is it neither lost nor told to end? */
  get isOpen(): boolean {
    return !this.#ending.signal.aborted
  }

  /** Answers with why it could not connect within 30 s, or `undefined`: connected, or (see `isOpen`) told to end. Never rejects. */
  async connect(): Promise<AdapterFailure | undefined> {
    const { clock, name } = this.#ports
    const limits = { clock, timeoutMs: connectTimeoutMs, what: `Adapter ${name}: connect`, signal: this.#ending.signal }
    const connected = await isolate(() => this.adapter.connect(this.#context()), limits)
    if (!this.isOpen) return this.#failure
    if (!connected.ok) return toAdapterFailure(connected.error)
    if (!this.#isWired) return toAdapterFailure(notWired(name))
    void this.#watchLife()
    return undefined
  }

  /** Ends it as broken. The first reason wins. */
  fail(failure: AdapterFailure): void {
    if (!this.isOpen) return
    this.#failure = soundFailure(failure)
    this.#ending.abort(closed(this.#ports.name))
  }

  /** Ends it as wished; `close` still has to follow. */
  end(): void {
    this.#ending.abort(closed(this.#ports.name))
  }

  /** Disconnects the object and undoes its platform handlers, at most 7 s; one that hangs is left behind and said in the log. Never rejects. */
  async close(): Promise<void> {
    this.end()
    await Promise.all([this.#disconnect(), this.#ports.wiring.end()])
  }

  async #disconnect(): Promise<void> {
    const { clock, logger, name } = this.#ports
    const what = `Adapter ${name}: disconnect`
    const hurry = new AbortController()
    const disconnecting = (async () => this.adapter.disconnect(hurry.signal))()
    let ended = await isolate(() => disconnecting, { clock, timeoutMs: disconnectTimeoutMs, what })
    if (!ended.ok && HermesError.is(ended.error, 'timed-out')) {
      hurry.abort(ended.error)
      ended = await isolate(() => disconnecting, { clock, timeoutMs: hurryTimeoutMs, what })
    }
    if (!ended.ok) logger.warn({ error: ended.error }, 'An adapter did not disconnect cleanly; it was left behind.')
  }

  #context(): AdapterContext {
    const ports = this.#ports
    const { name, isReconnect, clock, logger } = ports
    const { signal } = this.#ending
    return {
      isReconnect,
      signal,
      logger,
      clock,
      receive: (event) => (signal.aborted ? Promise.reject(closed(name)) : ports.receive(event)),
      wireNative: async (native) => {
        this.#isWired = true
        if (!signal.aborted) await ports.wiring.wire(native)
      },
      alive: () => {
        this.#aliveAt = clock.now()
        if (!signal.aborted) ports.onCondition(undefined)
      },
      degraded: (reason) => {
        if (!signal.aborted) ports.onCondition(String(reason))
      },
      commands: () => ports.commands(),
      fail: (failure) => this.fail(failure),
    }
  }

  /** Silence for longer than the adapter allows is a lost connection that nobody noticed. */
  async #watchLife(): Promise<void> {
    const stallAfterMs = this.#stallAfterMs
    const { clock } = this.#ports
    const { signal } = this.#ending
    this.#aliveAt = clock.now()
    while (stallAfterMs !== undefined && !signal.aborted) {
      const silentMs = clock.now() - this.#aliveAt
      if (silentMs >= stallAfterMs) this.fail({ code: 'network', message: `No sign of life for ${silentMs / 1000} s.`, isRetryable: true })
      else await clock.sleep(stallAfterMs - silentMs, signal).catch(() => undefined)
    }
  }
}

function closed(name: string): HermesError<'stopped'> {
  return new HermesError('stopped', `This connection of adapter ${name} has ended.`, { what: `connection of adapter ${name}` })
}

function notWired(name: string): HermesError<'adapter.not-wired'> {
  const message = `Adapter ${name} connected without calling context.wireNative(native): plugins could not reach its native object.`
  return new HermesError('adapter.not-wired', message, { adapter: name })
}
