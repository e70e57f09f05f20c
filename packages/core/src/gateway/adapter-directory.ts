import type { Adapter, AdapterFailure, ChatCapabilities, PlatformRegistration, RoutedChat, SharedOptions } from '@hermes/plugin-sdk'
import { accessMode, type AccessCounts, type AccessMode } from '../access/index.js'
import { readCapabilities } from './adapter-shape.js'
import type { AdapterState } from './adapter-state.js'
import type { AdapterSupervisor } from './adapter-supervisor.js'

/** Until an adapter says more: a limit that every platform takes. */
const unknownChat: ChatCapabilities = { text: { limit: 2000, unit: 'utf16', dialect: 'plain' } }

/** How one adapter instance is, for `health()`. */
export type AdapterHealth = {
  readonly name: string
  readonly platform: string
  /** Who may speak, and what was not taken since the start. */
  readonly access: { readonly mode: AccessMode } & AccessCounts
} & AdapterState

interface Entry {
  readonly registration: PlatformRegistration
  readonly supervisor: AdapterSupervisor
}

/** The adapter instances of the house, by name. */
export class AdapterDirectory {
  readonly #supervise: (name: string, registration: PlatformRegistration) => AdapterSupervisor
  readonly #entries = new Map<string, Entry>()
  #isStarted = false

  constructor(supervise: (name: string, registration: PlatformRegistration) => AdapterSupervisor) {
    this.#supervise = supervise
  }

  /** Takes an instance in; it connects once the house runs. The result takes it out again. */
  add(name: string, registration: PlatformRegistration): () => Promise<void> {
    const supervisor = this.#supervise(name, registration)
    this.#entries.set(name, { registration, supervisor })
    if (this.#isStarted) supervisor.start()
    return async () => {
      this.#entries.delete(name)
      await supervisor.stop()
    }
  }

  start(): void {
    this.#isStarted = true
    for (const { supervisor } of this.#entries.values()) supervisor.start()
  }

  async stop(): Promise<void> {
    this.#isStarted = false
    await Promise.all([...this.#entries.values()].map(({ supervisor }) => supervisor.stop()))
  }

  /** The adapter, while it is connected. */
  get(name: string): Adapter | undefined {
    return this.#entries.get(name)?.supervisor.adapter()
  }

  options(name: string): SharedOptions | undefined {
    return this.#entries.get(name)?.registration.options
  }

  /** What the chat takes, also while its adapter is away; total for any address, whatever the adapter does. */
  capabilities(chat: RoutedChat): ChatCapabilities {
    const adapter = this.#entries.get(chat.adapter)?.supervisor.lastKnown()
    return (adapter && readCapabilities(adapter, chat)) ?? unknownChat
  }

  /** Ends the connection of an adapter whose calls say that it cannot work. */
  fail(name: string, failure: AdapterFailure): void {
    this.#entries.get(name)?.supervisor.fail(failure)
  }

  connectedSince(name: string): number | undefined {
    const state = this.#entries.get(name)?.supervisor.state()
    return state?.state === 'connected' || state?.state === 'degraded' ? state.since : undefined
  }

  health(countsOf: (name: string) => AccessCounts): readonly AdapterHealth[] {
    return [...this.#entries].map(([name, { registration, supervisor }]) => ({
      name,
      platform: registration.platform,
      access: { mode: accessMode(registration.options), ...countsOf(name) },
      ...supervisor.state(),
    }))
  }
}
