import { telegram } from '@hermes/adapter-telegram'
import { createAgent, createGateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { ScriptedModel } from '@hermes/core/testing'
import { notes } from './index.js'

// A bot to try the plugin with. Any model of AI SDK goes here; this one plays a script, so that no key is needed.
const model = ScriptedModel.toolThenAnswer({ name: 'note', input: { text: 'Somebody said hello.' } })

const { TELEGRAM_BOT_TOKEN: token = '', TELEGRAM_API_ROOT: apiRoot } = process.env
const gateway = createGateway({
  agent: createAgent({ model }),
  store: sqliteStore('./notes.db'),
  plugins: [notes({ perChat: 10 }), telegram({ token, apiRoot, allowAll: true })],
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void gateway.stop())
await gateway.start()
