import { createAgent, createGateway } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { expect, it } from 'vitest'
import { postbox } from './index.js'
import { PostboxDouble } from './testing/postbox-double.js'

const patience = { timeout: 10_000 }
const logger = { debug() {}, info() {}, warn() {}, error() {} }

it('a gateway answers what people write into a postbox', async () => {
  const double = await PostboxDouble.start()
  const gateway = createGateway({
    agent: createAgent({ model: ScriptedModel.echo() }),
    plugins: [postbox({ token: double.token, url: double.url, allowAll: true })],
    logger,
  })
  try {
    await gateway.start()
    await expect.poll(() => gateway.health().adapters.map(({ state }) => state), patience).toEqual(['connected'])
    double.say(double.chats.dm, 'Is anybody there?')
    await expect.poll(() => double.shown(double.chats.dm).map(({ text }) => text), patience).toEqual(['Is anybody there?'])
  } finally {
    await gateway.stop()
    await double.stop()
  }
})
