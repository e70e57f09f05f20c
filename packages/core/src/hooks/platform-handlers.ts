import { HermesError, type AdapterView, type NativeHandler, type Registration } from '@hermes/plugin-sdk'
import { isolate, registration } from '../kernel/index.js'
import { CallRecord, type RecordPorts } from './call-record.js'
import { mergeHealth, type HookHealth } from './hook-health.js'
import { NativeWires, type PlatformHandler } from './native-wires.js'

/** One handler may take so long over one native object. */
const handlerTimeoutMs = 5000
/** A connect waits so long for all of them together: a connect has 30 s. What is left by then is wired beside the connection. */
const connectPatienceMs = 15_000
/** Handlers of one plugin. */
const mostHandlers = 64

/** The wiring of one connection of an adapter. */
export interface NativeWiring {
  /**
   * Runs the handlers of the platform on a native object, in the order of their registration and once per object, and wires those that
   * come later as well. Never rejects; whatever the handlers do, it resolves within 15 s.
   */
  wire(native: unknown): Promise<void>
  /** The connection is over: undoes what handlers gave an undo for, each within 5 s. Never rejects. Idempotent. */
  end(): Promise<void>
}

/** Which plugins want the native objects of which platforms. */
export interface PlatformHandlers {
  /** Throws `value.invalid`. The registration takes the handler out and undoes it on every native object. */
  add(owner: string, platform: string, handler: NativeHandler<string>): HandlerRegistration
  /** The wiring of a new connection. */
  open(adapter: AdapterView): NativeWiring
  /** By owner. */
  health(): ReadonlyMap<string, readonly HookHealth[]>
}

/** `removed`: resolves when the undo functions have run. */
export interface HandlerRegistration extends Registration {
  remove(): Promise<void>
}

/** Makes the handlers of a gateway. */
export function createPlatformHandlers(ports: RecordPorts): PlatformHandlers {
  return new WiredHandlers(ports)
}

class WiredHandlers implements PlatformHandlers {
  readonly #ports: RecordPorts
  /** In the order of their registration. */
  readonly #handlers = new Set<PlatformHandler>()
  readonly #live = new Set<ConnectionWiring>()
  /** What is wired stays wired for as long as the object lives, over all its connections. */
  readonly #wires = new WeakMap<object, NativeWires>()

  constructor(ports: RecordPorts) {
    this.#ports = ports
  }

  add(owner: string, platform: string, run: NativeHandler<string>): HandlerRegistration {
    const name = checkHandler(platform, run)
    const count = [...this.#handlers].filter((handler) => handler.owner === owner).length
    if (count >= mostHandlers) throw refused([`plugin ${owner} has ${mostHandlers} handlers already, and more are not taken`])
    const record = new CallRecord({ owner, hook: `platformHandler:${name}` }, this.#ports)
    const handler: PlatformHandler = { owner, platform: name, record, run }
    this.#handlers.add(handler)
    this.#ports.watch?.follow()
    for (const wiring of this.#live) if (wiring.platform === name) wiring.late(handler)
    let removing: Promise<void> | undefined
    const remove = (): Promise<void> => (removing ??= this.#remove(handler))
    return { ...registration(() => void remove()), remove }
  }

  open(adapter: AdapterView): NativeWiring {
    const platform = platformName(adapter.platform)
    const wiring = new ConnectionWiring(adapter, {
      ports: this.#ports,
      platform,
      handlers: () => [...this.#handlers].filter((handler) => handler.platform === platform),
      isHere: (handler) => this.#handlers.has(handler),
      wiresOf: (native) => this.#wiresOf(native),
      onEnd: (ended) => void this.#live.delete(ended),
    })
    this.#live.add(wiring)
    return wiring
  }

  health(): ReadonlyMap<string, readonly HookHealth[]> {
    const owners = new Map<string, HookHealth[]>()
    for (const { owner, record } of this.#handlers) {
      const health = record.health()
      const known = owners.get(owner) ?? []
      const place = known.findIndex(({ hook }) => hook === health.hook)
      const before = known[place]
      if (before) known[place] = mergeHealth(before, health)
      else known.push(health)
      owners.set(owner, known)
    }
    return owners
  }

  async #remove(handler: PlatformHandler): Promise<void> {
    this.#handlers.delete(handler)
    await Promise.all([...this.#live].map((wiring) => wiring.unwire(handler)))
  }

  #wiresOf(native: unknown): NativeWires {
    if (typeof native !== 'object' || native === null) return new NativeWires(this.#ports)
    const known = this.#wires.get(native)
    if (known) return known
    const wires = new NativeWires(this.#ports)
    this.#wires.set(native, wires)
    return wires
  }
}

interface WiringParts {
  readonly ports: RecordPorts
  readonly platform: string
  handlers(): readonly PlatformHandler[]
  /** Is it still registered? */
  isHere(handler: PlatformHandler): boolean
  wiresOf(native: unknown): NativeWires
  onEnd(wiring: ConnectionWiring): void
}

class ConnectionWiring implements NativeWiring {
  readonly #adapter: AdapterView
  readonly #parts: WiringParts
  readonly #ending = new AbortController()
  #native: { readonly value: unknown; readonly wires: NativeWires } | undefined
  /** One handler after another, late ones behind those that run. */
  #tail: Promise<void> = Promise.resolve()
  #ended: Promise<void> | undefined

  constructor(adapter: AdapterView, parts: WiringParts) {
    this.#adapter = adapter
    this.#parts = parts
  }

  get platform(): string {
    return this.#parts.platform
  }

  async wire(value: unknown): Promise<void> {
    if (this.#ending.signal.aborted) return
    if (this.#native?.value !== value) {
      const before = this.#native
      this.#native = { value, wires: this.#parts.wiresOf(value) }
      // What was rebuilt is gone; nobody waits for the undoing of it.
      if (before) void before.wires.undoAll()
    }
    for (const handler of this.#parts.handlers()) this.late(handler)
    const { clock } = this.#parts.ports
    await isolate(() => this.#tail, { clock, timeoutMs: connectPatienceMs, what: 'platform handlers', signal: this.#ending.signal })
  }

  /** Wires one handler behind those that are being wired, if there is a native object. */
  late(handler: PlatformHandler): void {
    const native = this.#native
    if (!native) return
    this.#tail = this.#tail.then(() => this.#run(handler, native))
  }

  async unwire(handler: PlatformHandler): Promise<void> {
    await this.#native?.wires.undo(handler)
  }

  end(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  async #end(): Promise<void> {
    this.#ending.abort()
    this.#parts.onEnd(this)
    await this.#native?.wires.undoAll()
  }

  async #run(handler: PlatformHandler, native: { readonly value: unknown; readonly wires: NativeWires }): Promise<void> {
    const { signal } = this.#ending
    if (signal.aborted || native !== this.#native || !this.#parts.isHere(handler) || !native.wires.begin(handler)) return
    const { clock, logger } = this.#parts.ports
    const { owner, platform, record } = handler
    const since = clock.now()
    record.began()
    const what = `plugin ${owner}: platformHandler:${platform}`
    const wired = await isolate(
      async () => {
        const answer: unknown = await record.run(handler.run, native.value, this.#adapter)
        native.wires.keep(handler, answer, () => !signal.aborted && this.#parts.isHere(handler))
      },
      { clock, timeoutMs: handlerTimeoutMs, what, signal },
    )
    if (wired.ok) {
      record.succeeded(since)
      logger.debug({ plugin: owner, adapter: this.#adapter.name }, 'A platform handler is wired.')
    } else if (!signal.aborted) {
      if (HermesError.is(wired.error, 'timed-out')) record.timedOut()
      record.failed(wired.error, since)
    }
  }
}

function checkHandler(platform: unknown, run: unknown): string {
  const issues: string[] = []
  const name = typeof platform === 'string' ? platformName(platform) : ''
  if (name === '') issues.push('the platform must have a name')
  if (typeof run !== 'function') issues.push('the handler must be a function')
  if (issues.length > 0) throw refused(issues)
  return name
}

function platformName(platform: string): string {
  return platform.trim().toLowerCase()
}

function refused(issues: string[]): HermesError<'value.invalid'> {
  return new HermesError('value.invalid', `A platform handler cannot be registered: ${issues.join('; ')}.`, { where: 'platform handler', issues })
}
