import { telegram } from '@hermes/adapter-telegram'
import { createGateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { definePlugin } from '@hermes/plugin-sdk'
import { piLoop } from './pi-loop.js'
import { scriptedModel } from './scripted-model.js'
import { weather } from './weather.js'

// Any model of pi goes here, such as `getModel('openai', 'gpt-5')` of @mariozechner/pi-ai. This one plays a script: it needs no key.
const model = scriptedModel()

const { TELEGRAM_BOT_TOKEN: token = '', TELEGRAM_API_ROOT: apiRoot } = process.env
const tools = definePlugin({ id: 'weather', register: (host) => void host.registerTool(weather) })
const gateway = createGateway({
  agent: piLoop(model),
  store: sqliteStore('./pi-loop.db'),
  plugins: [tools, telegram({ token, apiRoot, allowAll: true })],
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void gateway.stop())
await gateway.start()
