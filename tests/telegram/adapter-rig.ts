import { telegram } from '@hermes/adapter-telegram'
import { FakeClock } from '@hermes/core/testing'
import type { Adapter, AdapterContext, AdapterFailure, HostApi, InboundEvent, Log, Receipt } from '@hermes/plugin-sdk'
import type { Bot } from 'grammy'
import type { TelegramEmulator } from 'hermes-tests/emulators'

type Options = Parameters<typeof telegram>[0]

/** Makes adapters as a host does: a new one each time. */
export async function adapterMaker(options: Options): Promise<() => Adapter<'telegram'>> {
  let create: (() => Adapter) | undefined
  const host: Pick<HostApi, 'registerPlatform'> = {
    registerPlatform(platform) {
      create = () => platform.create()
      return { dispose() {}, [Symbol.dispose]() {} }
    },
  }
  await telegram(options).register(host as HostApi)
  return create as () => Adapter<'telegram'>
}

/** The adapter that the factory makes, as a host gets it. */
export async function createAdapter(options: Options): Promise<Adapter<'telegram'>> {
  const create = await adapterMaker(options)
  return create()
}

/** A host that writes down what an adapter tells it. Receipts come from `answer`. */
export class ScriptedHost {
  readonly clock = new FakeClock()
  readonly events: InboundEvent[] = []
  readonly told: string[] = []
  readonly failures: AdapterFailure[] = []
  readonly log: string[] = []
  readonly end = new AbortController()
  answer: (event: InboundEvent) => Promise<Receipt> = () => Promise.resolve('stored')
  readonly #failed: (() => void)[] = []
  readonly #heard: (() => void)[] = []

  /** What plugins do with the bot. */
  wire: (bot: Bot) => void | Promise<void> = () => {}

  /** The texts that arrived, in order. */
  get texts(): string[] {
    return this.events.flatMap((event) => ('text' in event ? [event.text] : []))
  }

  /** Resolves when the adapter has given the connection up. */
  failed(): Promise<void> {
    return this.failures.length > 0 ? Promise.resolve() : new Promise((resolve) => this.#failed.push(resolve))
  }

  /** Resolves when the first event has arrived. */
  heard(): Promise<void> {
    return this.events.length > 0 ? Promise.resolve() : new Promise((resolve) => this.#heard.push(resolve))
  }

  context(more: { isReconnect?: boolean } = {}): AdapterContext<'telegram'> {
    const write: Log = (fields, message) => void this.log.push(JSON.stringify([fields, message]))
    return {
      isReconnect: more.isReconnect ?? false,
      signal: this.end.signal,
      clock: this.clock,
      logger: { debug: write, info: write, warn: write, error: write },
      receive: (event) => {
        this.events.push(event)
        for (const resolve of this.#heard) resolve()
        return this.answer(event)
      },
      wireNative: async (bot) => {
        this.told.push('wired')
        await this.wire(bot)
      },
      alive: () => void this.told.push('alive'),
      degraded: (reason) => void this.told.push(`degraded: ${reason}`),
      commands: () => [],
      fail: (failure) => {
        this.failures.push(failure)
        for (const resolve of this.#failed) resolve()
      },
    }
  }
}

/** Where an adapter of this emulator connects. */
export function optionsFor(emulator: TelegramEmulator): Options {
  return { token: emulator.token, apiRoot: emulator.url }
}

/** A budget that is not over. */
export function unhurried(): AbortSignal {
  return new AbortController().signal
}

/** A receipt that stays open until `give` is called. */
export function openReceipt(): { readonly promise: Promise<Receipt>; give(): void } {
  let give = (): void => {}
  const promise = new Promise<Receipt>((resolve) => (give = () => resolve('stored')))
  return { promise, give }
}
