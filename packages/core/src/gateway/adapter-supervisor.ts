import type {
  Adapter,
  AdapterFailure,
  AdapterView,
  ChatAddress,
  Clock,
  CommandSpec,
  InboundEvent,
  Logger,
  PlatformRegistration,
  Receipt,
} from '@hermes/plugin-sdk'
import type { NativeWiring } from '../hooks/index.js'
import { isolate, type Redactor } from '../kernel/index.js'
import type { StateStore } from '../store/index.js'
import { AdapterConnection } from './adapter-connection.js'
import { toAdapterFailure } from './adapter-failure.js'
import { reconnectDelayMs } from './adapter-ladder.js'
import { createAdapter } from './adapter-shape.js'
import type { AdapterState } from './adapter-state.js'

/** A connection that was lost sooner does not count as a success: losing it again climbs the ladder. */
const steadyAfterMs = 10_000
const storeTimeoutMs = 30_000

/** What a supervisor needs of the house. */
export interface SupervisorPorts {
  /** Instance name. */
  readonly name: string
  readonly registration: PlatformRegistration
  /** Remembers which accounts connected before. */
  readonly store: Pick<StateStore, 'execute'>
  readonly clock: Clock
  /** It says already whose it is. */
  readonly logger: Logger
  readonly redactor: Pick<Redactor, 'redact'>
  /** Takes an event of the bot account `account`. */
  receive(account: string, event: InboundEvent): Promise<Receipt>
  /** The platform handlers of plugins, for a new connection. */
  wiring(adapter: AdapterView): NativeWiring
  /** What the menu of this adapter is to show. */
  commands(adapter: Adapter): readonly CommandSpec[]
  /** Hears of every connection once it is usable. Runs beside it; a rejection is said in the log. */
  onConnected(about: { readonly isReconnect: boolean }): Promise<void>
  /** Hears of every failed attempt and lost connection. `nextAttemptAt`: milliseconds since the epoch; absent: it is not tried again. */
  onFailed(failure: AdapterFailure, nextAttemptAt: number | undefined): void
}

/** Keeps one adapter instance connected. Instances know nothing of each other: none delays another. */
export interface AdapterSupervisor {
  /** Begins, once; what goes wrong from now on is a state. */
  start(): void
  /** Ends the connection and every wait; 7 s at most. Idempotent. */
  stop(): Promise<void>
  /** The adapter, only while it is connected. */
  adapter(): Adapter | undefined
  /** The newest adapter object, whether it is connected or not: it knows what chats take. */
  lastKnown(): Adapter | undefined
  state(): AdapterState
  /** Ends the connection that is there, as broken for this reason. */
  fail(failure: AdapterFailure): void
}

/** Makes the supervisor of one adapter instance. Nothing happens before `start`. */
export function createAdapterSupervisor(ports: SupervisorPorts): AdapterSupervisor {
  return new ReconnectingSupervisor(ports)
}

class ReconnectingSupervisor implements AdapterSupervisor {
  readonly #ports: SupervisorPorts
  readonly #stopping = new AbortController()
  #state: AdapterState
  #running: Promise<void> | undefined
  #connection: AdapterConnection | undefined
  #isUsable = false
  #lastKnown: Adapter | undefined
  #degradedBy: string | undefined
  #isFirstBoot = false
  #isReconnect = false
  #hasConnected = false
  #isRemembered = false
  #attempts = 0
  #earlyLosses = 0

  constructor(ports: SupervisorPorts) {
    this.#ports = ports
    this.#state = { state: 'stopped', since: ports.clock.now(), attempts: 0 }
  }

  start(): void {
    if (!this.#stopping.signal.aborted) this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#connection?.end()
    await this.#running
    if (this.#state.state !== 'stopped') this.#enter('stopped')
  }

  adapter(): Adapter | undefined {
    return this.#isUsable ? this.#connection?.adapter : undefined
  }

  lastKnown(): Adapter | undefined {
    return this.#lastKnown
  }

  state(): AdapterState {
    return this.#state
  }

  fail(failure: AdapterFailure): void {
    if (this.#isUsable) this.#connection?.fail(failure)
  }

  async #run(): Promise<void> {
    const { clock } = this.#ports
    const { signal } = this.#stopping
    while (!signal.aborted && this.#state.state !== 'fatal') {
      this.#enter('connecting', this.#state.reason)
      await this.#liveOnce()
      const waitMs = (this.#state.nextAttemptAt ?? 0) - clock.now()
      if (waitMs > 0) await clock.sleep(waitMs, signal).catch(() => undefined)
    }
  }

  /** From a new object to its end. The state says what follows before the object is disconnected: that may take its time. */
  async #liveOnce(): Promise<void> {
    const connection = await this.#open()
    if (!connection) return
    this.#connection = connection
    if (this.#stopping.signal.aborted) connection.end()
    const refusal = await connection.connect()
    if (refusal) this.#failAttempt(refusal)
    else if (connection.isOpen) await this.#useWhileConnected(connection)
    this.#connection = undefined
    await connection.close()
  }

  async #open(): Promise<AdapterConnection | undefined> {
    const { name, registration, clock, logger } = this.#ports
    try {
      const adapter = createAdapter(name, registration)
      this.#lastKnown = adapter
      this.#degradedBy = undefined
      const account = this.#accountOf(adapter)
      const isReconnect = !(await this.#isFirst(account))
      this.#isReconnect = isReconnect
      return new AdapterConnection(adapter, {
        name,
        isReconnect,
        clock,
        logger,
        receive: (event) => this.#ports.receive(account, event),
        wiring: this.#ports.wiring(viewOf(name, adapter)),
        commands: () => this.#ports.commands(adapter),
        onCondition: (reason) => this.#showCondition(reason),
      })
    } catch (error) {
      this.#failAttempt(toAdapterFailure(error))
      return undefined
    }
  }

  async #useWhileConnected(connection: AdapterConnection): Promise<void> {
    const { clock, logger } = this.#ports
    const account = this.#accountOf(connection.adapter)
    const connectedAt = clock.now()
    this.#hasConnected = true
    await this.#remember(account)
    if (connection.isOpen) {
      this.#attempts = 0
      this.#isUsable = true
      this.#showConnected()
      logger.info({ account }, 'Adapter connected.')
      void this.#announce()
    }
    const failure = await connection.lost
    this.#isUsable = false
    if (failure) this.#lose(failure, clock.now() - connectedAt)
  }

  /** A failed attempt climbs the ladder, unless the platform says itself how long to wait. */
  #failAttempt(failure: AdapterFailure): void {
    this.#attempts += 1
    this.#follow(failure, failure.retryAfterMs ?? reconnectDelayMs(this.#attempts))
  }

  /** After a connection that was steady the next attempt is due at once; one that keeps breaking early climbs the ladder. */
  #lose(failure: AdapterFailure, livedMs: number): void {
    this.#earlyLosses = livedMs < steadyAfterMs ? this.#earlyLosses + 1 : 0
    this.#attempts = Math.max(0, this.#earlyLosses - 1)
    this.#follow(failure, failure.retryAfterMs ?? reconnectDelayMs(this.#attempts))
  }

  #follow(failure: AdapterFailure, delayMs: number): void {
    const { clock, logger } = this.#ports
    if (this.#stopping.signal.aborted) return
    if (failure.isRetryable) {
      this.#enter('retrying', failure.message, clock.now() + delayMs)
      logger.warn(
        { code: failure.code, attempts: this.#attempts, delayMs, reason: failure.message, error: failure.cause },
        'Adapter lost; it will connect again.',
      )
    } else {
      this.#enter('fatal', failure.message)
      logger.error({ code: failure.code, reason: failure.message, error: failure.cause }, 'Adapter cannot work; it is not tried again.')
    }
    this.#ports.onFailed(failure, this.#state.nextAttemptAt)
  }

  #showCondition(reason: string | undefined): void {
    if (reason === this.#degradedBy) return
    this.#degradedBy = reason
    if (this.#isUsable) this.#showConnected()
  }

  #showConnected(): void {
    if (this.#degradedBy === undefined) this.#enter('connected')
    else this.#enter('degraded', this.#degradedBy)
  }

  #enter(state: AdapterState['state'], reason?: string, nextAttemptAt?: number): void {
    const { clock, redactor } = this.#ports
    const shown = reason === undefined ? undefined : redactor.redact(reason)
    this.#state = { state, reason: shown, since: clock.now(), attempts: this.#attempts, nextAttemptAt }
  }

  #accountOf(adapter: Adapter): string {
    return adapter.account ?? this.#ports.name
  }

  /**
   * Did this account never connect? Only then may the platform's queue be dropped. It is remembered before the platform hears of it, so
   * that a crash right behind the first connection cannot make a later one look like it; where that fails, the queue is kept.
   */
  async #isFirst(account: string): Promise<boolean> {
    if (this.#hasConnected) return false
    this.#isFirstBoot ||= !(await this.#isKnown(account)) && (await this.#remember(account))
    return this.#isFirstBoot
  }

  /** Where the store cannot tell, the account counts as known: then the platform's queue is kept. */
  async #isKnown(account: string): Promise<boolean> {
    const { store, clock, registration, logger } = this.#ports
    const limits = { clock, timeoutMs: storeTimeoutMs, what: 'account.isKnown', signal: this.#stopping.signal }
    const known = await isolate(() => store.execute('account.isKnown', { platform: registration.platform, account }), limits)
    if (known.ok) return known.value
    if (!this.#stopping.signal.aborted)
      logger.error({ error: known.error }, 'The store cannot tell whether this account is known; its waiting messages are kept.')
    return true
  }

  async #remember(account: string): Promise<boolean> {
    if (this.#isRemembered) return true
    const { store, clock, registration, logger } = this.#ports
    const args = { platform: registration.platform, account, at: clock.now() }
    const limits = { clock, timeoutMs: storeTimeoutMs, what: 'account.remember', signal: this.#stopping.signal }
    const remembered = await isolate(() => store.execute('account.remember', args), limits)
    this.#isRemembered = remembered.ok
    if (!remembered.ok && !this.#stopping.signal.aborted)
      logger.error({ error: remembered.error }, 'The store could not remember this account; the next connection tries again.')
    return remembered.ok
  }

  async #announce(): Promise<void> {
    try {
      await this.#ports.onConnected({ isReconnect: this.#isReconnect })
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#ports.logger.error({ error }, 'What follows a connection failed.')
    }
  }
}

/** What plugins may read of an adapter. */
function viewOf(name: string, adapter: Adapter): AdapterView {
  const { platform, account } = adapter
  return Object.freeze({ name, platform, account, capabilities: (chat: ChatAddress) => adapter.capabilities(chat) })
}
