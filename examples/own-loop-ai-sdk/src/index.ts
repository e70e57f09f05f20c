import { telegram } from '@hermes/adapter-telegram'
import { createGateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { ScriptedModel } from '@hermes/core/testing'
import { definePlugin } from '@hermes/plugin-sdk'
import { ownLoop } from './own-loop.js'
import { weather } from './weather.js'

// Any model of AI SDK goes here, such as `openai('gpt-5')` of @ai-sdk/openai. This one plays a script, so that no key is needed.
const model = ScriptedModel.toolThenAnswer({ name: 'weather', input: { city: 'Bern' } })

const { TELEGRAM_BOT_TOKEN: token = '', TELEGRAM_API_ROOT: apiRoot } = process.env
const tools = definePlugin({ id: 'weather', register: (host) => void host.registerTool(weather) })
const gateway = createGateway({
  agent: ownLoop(model),
  store: sqliteStore('./own-loop.db'),
  plugins: [tools, telegram({ token, apiRoot, allowAll: true })],
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void gateway.stop())
await gateway.start()
