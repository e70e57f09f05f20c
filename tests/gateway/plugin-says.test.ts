import { grant } from '@hermes/core'
import { definePlugin, type Grant, type HostApi } from '@hermes/plugin-sdk'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { PaperHouses, type HouseChange } from './paper-house.js'
import { until } from './paper-platform.js'

const houses = new PaperHouses()

afterEach(() => houses.close())
afterAll(() => houses.dispose())

const sessionKey = 'agent:main:paper:dm:c1'
const chat = { platform: 'paper', adapter: 'paper', kind: 'dm', chatId: 'c1' } as const

/** A house with a plugin that asks for grants and is given them, and what it was handed. */
async function openWith(grants: readonly Grant[], change: HouseChange = {}) {
  let host: HostApi | undefined
  const seen: string[] = []
  const plugin = definePlugin({
    id: 'speaker',
    grants,
    register(api) {
      host = api
      api.on('preDispatch', ({ event }) => void seen.push(event.kind))
    },
  })
  const house = await houses.open(change)
  const joined = await house.gateway.use(grant(plugin, grants))
  if (!host) throw new Error('the plugin did not register')
  return { ...house, host, joined, seen }
}

describe('what a plugin says into a conversation', () => {
  // plugins 33
  it('is refused without the grant, and leads nowhere without a session', async () => {
    const without = await openWith([])
    await expect(without.host.inject({ sessionKey, text: 'hello' })).rejects.toMatchObject({
      code: 'grant.missing',
      detail: { pluginId: 'speaker', grant: 'messages.inject' },
    })
    const { host } = await openWith(['messages.inject'])
    expect(await host.inject({ sessionKey, text: 'hello' })).toBe('no-session')
  })

  // plugins 33
  it('is answered in its chat, is never a command, and is shown to no plugin', async () => {
    const { host, paper, seen } = await openWith(['messages.inject'])
    await paper.say('c1', 'first')
    await until(() => paper.answers('c1').length === 1)
    expect(await host.inject({ sessionKey, text: '/new from a plugin' })).toBe('accepted')
    await until(() => paper.answers('c1').length === 2)
    expect(paper.answers('c1')[1]).toContain('/new from a plugin')
    expect(seen).toEqual(['message'])
  })

  it('waits behind what runs, and is told when no more may wait', async () => {
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const holding = definePlugin({ id: 'holding', register: (api) => void api.on('turnStart', () => held.then(() => undefined)) })
    const limits = { waitingPerConversation: 1 }
    const { host, paper, gateway } = await openWith(['messages.inject'], { plugins: [holding], options: { limits } })
    await paper.say('c1', 'first')
    await until(() => gateway.health().turns.running === 1)
    await expect.poll(() => host.inject({ sessionKey, text: 'second' }), { interval: 5 }).toBe('accepted')
    expect(await host.inject({ sessionKey, text: 'third' })).toBe('full')
    release()
    await until(() => paper.answers('c1').length === 2)
    expect(paper.answers('c1')[1]).toContain('second')
  })

  it.each([[{}], [{ sessionKey: '', text: 'x' }], [{ sessionKey, text: ' ' }], [{ sessionKey, text: 'x'.repeat(100_001) }], [null]])(
    'is refused in a wrong shape: %.40j',
    async (message) => {
      const { host } = await openWith(['messages.inject'])
      await expect(host.inject(message as never)).rejects.toMatchObject({ code: 'value.invalid' })
    },
  )
})

describe('what a plugin sends into a chat', () => {
  it('is refused without the grant, once the plugin has left, and for an adapter that nobody brings', async () => {
    const without = await openWith(['messages.inject'])
    await expect(without.host.send(chat, { text: 'x' })).rejects.toMatchObject({ code: 'grant.missing', detail: { grant: 'messages.send' } })
    const { host, joined } = await openWith(['messages.send'])
    await expect(host.send({ ...chat, adapter: 'elsewhere' }, { text: 'x' })).rejects.toMatchObject({ code: 'value.invalid' })
    await expect(host.send(chat, { text: '' })).rejects.toMatchObject({ code: 'value.invalid' })
    joined.dispose()
    await expect(host.send(chat, { text: 'x' })).rejects.toMatchObject({ code: 'stopped' })
  })

  it('goes out under the key that it learns', async () => {
    const { host, paper, gateway } = await openWith(['messages.send'])
    const keys: string[] = []
    gateway.hooks.deliveryOutcome.tap('test', ({ key }) => void keys.push(key))
    const { key } = await host.send(chat, { text: 'good morning' })
    await until(() => paper.answers('c1').length === 1)
    expect(paper.answers('c1')).toEqual(['good morning'])
    await until(() => keys.length === 1)
    expect(keys).toEqual([key])
  })
})
