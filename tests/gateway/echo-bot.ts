import { createAgent } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import type { Plugin } from '@hermes/plugin-sdk'
import { startTestBot, type BotChange, type TestBot } from './test-bot.js'

/** A bot whose model says again what it was told last. */
export function startEchoBot(plugins: readonly Plugin[], change: BotChange = {}): Promise<TestBot> {
  const model = new ScriptedModel((options) => {
    const last = options.prompt.findLast((message) => message.role === 'user')
    return [{ text: `echo ${last?.content.map((part) => (part.type === 'text' ? part.text : '')).join('')}` }]
  })
  return startTestBot(createAgent({ model, instructions: 'You are a test.' }), { ...change, plugins })
}
