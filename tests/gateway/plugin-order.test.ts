import { createAgent, createGateway } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { definePlugin, type Plugin } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'

async function load(...plugins: readonly Plugin[]) {
  const lines: { fields: object; message: string }[] = []
  const log = (fields: object, message: string): void => void lines.push({ fields, message })
  const logger = { debug() {}, info() {}, warn: log, error: log }
  const gateway = createGateway({ agent: createAgent({ model: ScriptedModel.echo() }), plugins, logger })
  await gateway.start()
  const health = gateway.health().plugins.filter(({ id }) => id !== 'agent')
  await gateway.stop()
  return { health, lines }
}

describe('plugins of a gateway that require others', () => {
  const loaded: string[] = []
  const plugin = (id: string, requires: readonly string[] = [], register = (): void => void loaded.push(id)): Plugin =>
    definePlugin({ id, requires, register })
  const boom = (): never => {
    throw new Error('broken')
  }

  // plugins 6, 9
  it('are loaded behind them; those of a plugin that is not there or failed fail with the reason, and all others go on', async () => {
    loaded.length = 0
    const { health } = await load(
      plugin('late', ['early']),
      plugin('lost', ['nobody']),
      plugin('hurt', ['broken']),
      plugin('broken', [], boom),
      plugin('early'),
    )
    expect(loaded).toEqual(['early', 'late'])
    expect(health).toEqual([
      { id: 'lost', state: 'failed', reason: expect.stringContaining('requires the plugin nobody') },
      { id: 'broken', state: 'failed', reason: 'broken' },
      { id: 'hurt', state: 'failed', reason: expect.stringContaining('requires the plugin broken') },
      { id: 'early', state: 'registered' },
      { id: 'late', state: 'registered' },
    ])
  })

  // plugins 7
  it('are all loaded in a circle, alphabetically, with a warning', async () => {
    loaded.length = 0
    const { lines } = await load(plugin('b', ['a']), plugin('a', ['b']))
    expect(loaded).toEqual(['a', 'b'])
    expect(lines).toEqual([{ fields: { plugins: ['a', 'b'] }, message: expect.stringContaining('require each other') }])
  })
})
