import { createAgent, createGateway, type Gateway, type GatewayOptions } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import type { Logger, Plugin } from '@hermes/plugin-sdk'
import { PaperPlatform, until, type PaperChange } from './paper-platform.js'

/** What a test wants otherwise than an echoing bot on a platform that takes everything. */
export interface HouseChange {
  readonly paper?: PaperPlatform | PaperChange
  readonly plugins?: readonly Plugin[]
  readonly model?: ScriptedModel
  readonly options?: Partial<GatewayOptions>
}

/** A gateway on a paper platform. */
export interface PaperHouse {
  readonly paper: PaperPlatform
  readonly model: ScriptedModel
  readonly gateway: Gateway
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** The gateways of one test file, and what nobody handled while they ran. */
export class PaperHouses {
  readonly #gateways: Gateway[] = []
  readonly #unhandled: unknown[] = []
  readonly #remember = (error: unknown): void => void this.#unhandled.push(error)

  constructor() {
    process.on('unhandledRejection', this.#remember)
  }

  /** Makes a gateway that is not started. */
  build({ paper: change, plugins = [], model = ScriptedModel.echo(), options }: HouseChange = {}): PaperHouse {
    const paper = change instanceof PaperPlatform ? change : new PaperPlatform(change)
    const gateway = createGateway({ agent: createAgent({ model }), plugins: [paper.plugin, ...plugins], logger: silent, ...options })
    this.#gateways.push(gateway)
    return { paper, model, gateway }
  }

  /** Makes a gateway, and starts it; resolves when it is connected. */
  async open(change: HouseChange = {}): Promise<PaperHouse> {
    const house = this.build(change)
    await house.gateway.start()
    await until(() => house.gateway.health().adapters[0]?.state === 'connected')
    return house
  }

  /** Stops all; throws what nobody handled. */
  async close(): Promise<void> {
    for (const gateway of this.#gateways.splice(0)) await gateway.stop()
    await new Promise((resolve) => setImmediate(resolve))
    const [first] = this.#unhandled.splice(0)
    if (first !== undefined) throw new Error('a rejection was not handled', { cause: first })
  }

  /** After the last test. */
  dispose(): void {
    process.off('unhandledRejection', this.#remember)
  }
}
