import { join } from 'node:path'
import { telegram } from '@hermes/adapter-telegram'
import { createGateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import type { AgentRuntime, AgentTurn } from '@hermes/plugin-sdk'
import { readSettings, serveBench } from './bot-link.js'
import { countingStore } from './counting-store.js'

/** Answers with the last text, without a model. */
const echo: AgentRuntime = {
  id: 'echo',
  async *run(turn: AgentTurn) {
    const text = turn.input.flatMap((message) => message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).join('\n')
    yield {
      type: 'message-add',
      message: { role: 'assistant', model: { provider: 'none', model: 'echo' }, finish: 'stop', parts: [{ type: 'text', text }] },
    }
  },
}

const { apiRoot, token, directory } = readSettings()
const store = countingStore(sqliteStore(join(directory, 'hermes.db')))
const gateway = createGateway({
  agent: echo,
  store,
  // A few people ask as fast as they are answered.
  limits: { messagesPerMinute: 0 },
  plugins: [telegram({ token, apiRoot, allowAll: true, keepPendingUpdates: true })],
})
await gateway.start()
serveBench({
  storeUsage: () => ({ commits: store.health().commits, durableCommands: store.durableCommands() }),
  stop: () => gateway.stop(),
})
