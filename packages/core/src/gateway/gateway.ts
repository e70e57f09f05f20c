import { HermesError, type Registration, type Run, type RunRequest } from '@hermes/plugin-sdk'
import type { DeliveryStatus } from '../delivery/index.js'
import type { GatewayHooks, PluginEntry, PluginHealth } from '../hooks/index.js'
import type { StoreHealth } from '../store/index.js'
import type { AdapterHealth } from './adapter-directory.js'
import { compose, type House } from './compose.js'
import { createGatewayAccess, type GatewayAccess } from './gateway-access.js'
import { parseGatewayOptions, type GatewayOptions } from './gateway-options.js'
import { readRunRequest } from './plugin-services.js'

/** A running bot: adapters, conversations and one agent. */
export interface Gateway {
  /**
   * Opens the store and loads the plugins, both at once; goes on with what an earlier process left, and connects. Rejects when the
   * store cannot be opened; a plugin or adapter that fails is a state in `health()`. A gateway starts once.
   */
  start(): Promise<void>
  /** Parks what runs, disconnects, closes; leaves no handle open. Idempotent, at any time. */
  stop(): Promise<void>
  /**
   * Adds a plugin while it runs (or before); the registration takes it out again. Rejects with `plugin.failed`, `plugin.invalid`,
   * `grant.missing` or `name.taken`.
   */
  use(plugin: PluginEntry): Promise<Registration>
  health(): GatewayHealth
  /**
   * Has the agent answer something: as the next turn of a session, or apart from all of them. The answer comes back here and is shown in no
   * chat. Before `start` it waits for that. Throws `value.invalid` for a request of a wrong shape or more than 100 000 characters of input
   * or none.
   */
  run(request: RunRequest): Run
  /**
   * Answers a request of a platform, such as a webhook's: mount it in your own server. The last segment of the path names the adapter
   * instance: `/webhooks/telegram`. 404 where there is none or it takes no requests, 503 while it is not connected. Never rejects.
   */
  handleRequest(request: Request): Promise<Response>
  /** People who want to be let in, and those who were. */
  readonly access: GatewayAccess
  /** The hooks as tapable knows them. Plugins use `host.on`. */
  readonly hooks: GatewayHooks
}

/** How everything is. */
export interface GatewayHealth {
  readonly state: 'new' | 'starting' | 'running' | 'stopping' | 'stopped'
  readonly adapters: readonly AdapterHealth[]
  readonly plugins: readonly PluginHealth[]
  readonly store: StoreHealth
  readonly turns: { readonly running: number }
  readonly delivery: DeliveryStatus
}

/** Makes a gateway. Touches nothing outside: that is for `start`. Throws `options.invalid`. */
export function createGateway(options: GatewayOptions): Gateway {
  return new ComposedGateway(compose(parseGatewayOptions(options)))
}

class ComposedGateway implements Gateway {
  readonly access: GatewayAccess
  readonly #house: House
  #state: GatewayHealth['state'] = 'new'
  #starting: Promise<void> | undefined
  #stopping: Promise<void> | undefined

  constructor(house: House) {
    this.#house = house
    this.access = createGatewayAccess(house.access)
  }

  get hooks(): GatewayHooks {
    return this.#house.hooks.hooks
  }

  start(): Promise<void> {
    if (this.#isEnding) {
      return Promise.reject(new HermesError('stopped', 'This gateway was stopped; make another one with createGateway().', { what: 'gateway' }))
    }
    this.#starting ??= this.#start()
    return this.#starting
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAfterStart()
    return this.#stopping
  }

  async use(plugin: PluginEntry): Promise<Registration> {
    if (this.#isEnding) throw new HermesError('stopped', 'The plugin came too late: the gateway is stopped.', { what: 'gateway' })
    return await this.#house.plugins.add(plugin)
  }

  run(request: RunRequest): Run {
    return this.#house.turns.run({ name: 'gateway' }, readRunRequest(request, 'gateway.run()'))
  }

  handleRequest(request: Request): Promise<Response> {
    return this.#house.answer(request)
  }

  health(): GatewayHealth {
    const { access, adapters, plugins, loader, store, turns, delivery } = this.#house
    return {
      state: this.#state,
      adapters: adapters.health((name) => access.counts(name)),
      plugins: [...plugins.plugins(), ...loader.refused],
      store: store.health(),
      turns: { running: turns.running },
      delivery: delivery.status(),
    }
  }

  /** Was it told to stop, or could it not start? */
  get #isEnding(): boolean {
    return this.#stopping !== undefined || this.#state === 'stopping' || this.#state === 'stopped'
  }

  async #start(): Promise<void> {
    this.#state = 'starting'
    const house = this.#house
    house.watch.open()
    try {
      await Promise.all([house.store.open().then(() => house.storeGate.open()), house.loader.load(house.ownPlugins)])
      if (this.#stopping) return
      await house.access.pairing.load()
      await house.router.recover()
      await house.turns.start()
    } catch (error) {
      await this.#shutDown()
      throw error
    }
    house.adapters.start()
    house.housekeeping.start()
    this.#state = 'running'
  }

  async #stopAfterStart(): Promise<void> {
    // Foreign code that a start waits for is not waited for any more.
    this.#house.shutdown.abort()
    await this.#starting?.catch(() => undefined)
    await this.#shutDown()
  }

  /**
   * What runs is parked and what was typed is answered, then nothing goes out, then nothing comes in: what arrives meanwhile is in the
   * store for the next start.
   */
  async #shutDown(): Promise<void> {
    if (this.#state === 'stopped') return
    this.#state = 'stopping'
    const house = this.#house
    house.shutdown.abort()
    await Promise.all([house.turns.close(), house.router.close()])
    await house.delivery.stop()
    await house.adapters.stop()
    await house.plugins.stop()
    house.hooks.close()
    await house.housekeeping.stop()
    await house.store.close()
    house.watch.close()
    this.#state = 'stopped'
  }
}
