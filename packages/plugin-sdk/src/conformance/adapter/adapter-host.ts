import type { Adapter, AdapterContext, AdapterFailure } from '../../adapter.js'
import type { InboundEvent, Receipt } from '../../events.js'
import type { Clock, Log } from '../../services.js'

/** A hundred times as fast as people's, so that the waits of an adapter pass. */
const haste = 100

const began = Date.now()
const hastyClock: Clock = {
  now: () => began + (Date.now() - began) * haste,
  random: () => 0.5,
  sleep: (ms, signal) => hurriedSleep(ms / haste, signal),
}

/** The core as one connection of an adapter sees it: it takes everything and writes down what it was told. */
export class AdapterHost {
  readonly adapter: Adapter
  readonly clock: Clock = hastyClock
  readonly events: InboundEvent[] = []
  readonly failures: AdapterFailure[] = []
  readonly complaints: string[] = []
  /** Fields and text of every line. */
  readonly log: unknown[] = []
  /** How many events had come at each `wireNative`. */
  readonly wirings: number[] = []
  readonly end = new AbortController()
  /** Time of the last sign of life, by the host's clock. */
  lastAliveAt = 0
  /** The receipt of each event. */
  answer: (event: InboundEvent) => Promise<Receipt> = () => Promise.resolve('stored')
  /** What plugins do with the native object. */
  wire: (native: unknown) => Promise<void> | void = () => undefined

  constructor(adapter: Adapter) {
    this.adapter = adapter
  }

  /** The messages' texts, in the order they came. */
  get texts(): readonly string[] {
    return this.events.flatMap((event) => (event.kind === 'message' ? [event.text] : []))
  }

  /** `isReconnect: false`: a first boot. */
  connect({ isReconnect = true }: { readonly isReconnect?: boolean | undefined } = {}): Promise<void> {
    return this.adapter.connect(this.#context(isReconnect))
  }

  #context(isReconnect: boolean): AdapterContext {
    const write: Log = (fields, message) => void this.log.push([fields, message])
    return {
      isReconnect,
      signal: this.end.signal,
      clock: this.clock,
      logger: { debug: write, info: write, warn: write, error: write },
      receive: (event) => {
        this.events.push(event)
        return this.answer(event)
      },
      wireNative: async (native) => {
        this.wirings.push(this.events.length)
        await this.wire(native)
      },
      alive: () => void (this.lastAliveAt = this.clock.now()),
      degraded: (reason) => void this.complaints.push(reason),
      commands: () => [],
      fail: (failure) => void this.failures.push(failure),
    }
  }
}

function hurriedSleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
