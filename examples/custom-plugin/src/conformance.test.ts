import { createAgent, createGateway, grant } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { pluginConformance } from '@hermes/plugin-sdk/conformance'
import { Bot } from 'grammy'
import { describe, it } from 'vitest'
import { notes } from './index.js'

const logger = { debug() {}, info() {}, warn() {}, error() {} }

describe('the plugin keeps what every plugin promises:', () => {
  pluginConformance(
    { describe, it },
    {
      async open() {
        const gateway = createGateway({ agent: createAgent({ model: new ScriptedModel([]) }), logger })
        await gateway.start()
        return { use: (plugin) => gateway.use(grant(plugin, plugin.grants ?? [])), stop: () => gateway.stop() }
      },
      create: notes,
      options: { perChat: 2 },
      secrets: [],
      inputs: { note: [{ text: 'The milk is in the fridge.' }] },
      natives: { telegram: () => new Bot('1:token') },
    },
  )
})
