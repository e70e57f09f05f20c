import { join } from 'node:path'
import { telegram } from '@hermes/adapter-telegram'
import { createGateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { readSettings, serveBench } from './bot-link.js'
import { countingStore } from './counting-store.js'
import { echo } from './echo-agent.js'
import { listeners } from './listeners.js'

const { apiRoot, token, directory, plugins } = readSettings()
const store = countingStore(sqliteStore(join(directory, 'hermes.db')))
const gateway = createGateway({
  agent: echo,
  store,
  // A few people ask as fast as they are answered.
  limits: { messagesPerMinute: 0 },
  plugins: [telegram({ token, apiRoot, allowAll: true, keepPendingUpdates: true }), ...listeners(plugins)],
})
await gateway.start()
serveBench({
  storeUsage: () => ({ commits: store.health().commits, durableCommands: store.durableCommands() }),
  stop: () => gateway.stop(),
})
