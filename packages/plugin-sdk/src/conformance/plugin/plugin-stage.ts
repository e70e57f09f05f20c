import assert from 'node:assert/strict'
import type { Awaitable } from '../../json.js'
import type { HostApi, Plugin } from '../../plugin.js'
import type { Registration } from '../../services.js'
import type { SuiteCase } from '../case-groups.js'
import { within } from '../waiting.js'
import type { PluginConformance } from './plugin-conformance.js'
import { PluginRecord, recordingHost } from './plugin-record.js'

/** A promise of plugins, and what finds it broken. */
export type PluginCase = SuiteCase<PluginStage>

/** Where plugins live: a gateway. */
export interface PluginHouse {
  /** Lets a plugin in, with every right that it asks for; the registration takes it out again. */
  readonly use: (plugin: Plugin) => Promise<Registration>
  readonly stop: () => Promise<void>
}

/** A plugin in its house. */
export interface Stay {
  readonly record: PluginRecord
  /** Takes the plugin out, and resolves when all that it registered is undone. */
  readonly leave: () => Promise<void>
}

/** The houses of one case. */
export class PluginStage {
  readonly setup: PluginConformance<object>
  readonly #houses: PluginHouse[] = []

  constructor(setup: PluginConformance<object>) {
    this.setup = setup
  }

  async house(): Promise<PluginHouse> {
    const house = await this.setup.open()
    this.#houses.push(house)
    return house
  }

  /** Lets a new one of the plugin in. Rejects as the house does. */
  async load(house?: PluginHouse): Promise<Stay> {
    const place = house ?? (await this.house())
    const plugin = this.setup.create(this.setup.options)
    const record = new PluginRecord()
    let seeOff = (): void => {}
    const left = new Promise<void>((resolve) => (seeOff = resolve))
    const register = (host: HostApi): Awaitable<void> => {
      // It is undone last, for it comes first.
      host.onStop(() => seeOff())
      return plugin.register(recordingHost(host, record, plugin.grants ?? []))
    }
    const stay = await within(place.use({ ...plugin, register }), 'the plugin is registered')
    return {
      record,
      async leave() {
        record.isLeaving = true
        stay.dispose()
        await within(left, 'all that the plugin registered is undone')
      },
    }
  }

  /** The inputs for a tool. */
  inputsOf(tool: string): readonly unknown[] {
    const inputs = this.setup.inputs?.[tool] ?? []
    assert.ok(inputs.length > 0, `There is no input for the tool ${tool}: give one in \`inputs\`, or skip this case with a reason.`)
    return inputs
  }

  /** The arguments for a command. */
  argsOf(command: string): readonly string[] {
    return this.setup.args?.[command] ?? ['']
  }

  async end(): Promise<void> {
    await Promise.all(this.#houses.map((house) => within(house.stop(), 'the house stops')))
  }
}
