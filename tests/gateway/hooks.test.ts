import { defineCommand, definePlugin, type HookName, type Hooks, type HostApi } from '@hermes/plugin-sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { startEchoBot } from './echo-bot.js'
import type { TestBot } from './test-bot.js'

const bots: TestBot[] = []

afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.stop()
})

async function startEcho(...args: Parameters<typeof startEchoBot>): Promise<TestBot> {
  const bot = await startEchoBot(...args)
  bots.push(bot)
  return bot
}

const ping = defineCommand({ name: 'ping', description: 'Answer pong.', whileBusy: 'run', run: () => 'pong' })
const watched = ['preCommand', 'sessionStart', 'sessionEnd', 'turnEnd', 'deliveryOutcome', 'adapterConnected', 'adapterFailed'] as const
type Watched = (typeof watched)[number]
type News = { [N in Watched]: { readonly hook: N; readonly payload: Hooks[N]['payload'] } }[Watched]

/** A plugin that keeps all it hears. */
function listener() {
  const news: News[] = []
  const plugin = definePlugin({
    id: 'listener',
    register(host) {
      host.registerCommand(ping)
      for (const hook of watched) host.on(hook, (payload) => void news.push({ hook, payload } as News))
    },
  })
  const of = <N extends Watched>(hook: N): readonly Hooks[N]['payload'][] =>
    news.filter((item) => item.hook === hook).map((item) => item.payload as Hooks[N]['payload'])
  return { plugin, news, of }
}

describe('plugins that watch', () => {
  it('hear of a conversation from its beginning to its end, and of every piece that went out', async () => {
    const { plugin, of } = listener()
    const bot = await startEcho([plugin])
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'one')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    bot.telegram.say(chat, '/ping now')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 2)
    bot.telegram.say(chat, '/nonsense')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 3)
    bot.telegram.say(chat, '/new')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 4)
    bot.telegram.say(chat, 'two')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 5)
    await expect.poll(() => of('deliveryOutcome').length, { interval: 5 }).toBe(5)

    const [first] = of('sessionStart')
    expect(first).toMatchObject({ chat: { platform: 'telegram', adapter: 'telegram', chatId: String(chat.id) } })
    expect(of('sessionStart').map(({ sessionKey }) => sessionKey)).toEqual([first?.sessionKey, first?.sessionKey])
    expect(of('sessionEnd')).toMatchObject([{ sessionKey: first?.sessionKey, reason: 'new' }])
    expect(of('preCommand')).toMatchObject([
      { name: 'ping', args: 'now', sessionKey: first?.sessionKey },
      { name: 'new', args: '' },
    ])
    expect(of('turnEnd')).toMatchObject([
      { state: 'settled', outcome: { status: 'completed', text: 'echo one' }, turn: { sessionKey: first?.sessionKey, epoch: 1 } },
      { state: 'settled', outcome: { status: 'completed', text: 'echo two' } },
    ])
    expect(of('deliveryOutcome')[0]).toMatchObject({
      turnId: of('turnEnd')[0]?.turn.id,
      chunk: 0,
      chunks: 1,
      attempt: 1,
      isLast: true,
      outcome: { status: 'sent' },
    })
    expect(of('deliveryOutcome')[1]?.turnId).toBeUndefined()
    expect(of('adapterConnected')).toEqual([{ adapter: 'telegram', platform: 'telegram', isReconnect: false }])
  })

  it('hear that an adapter cannot work, and no secret', async () => {
    const { plugin, of } = listener()
    const bot = await startEcho([plugin], { telegramOptions: { token: '123456:not-the-token-of-this-bot-at-all-xx' } })
    await expect.poll(() => of('adapterFailed').length, { interval: 5 }).toBe(1)
    expect(of('adapterFailed')).toMatchObject([{ adapter: 'telegram', platform: 'telegram', failure: { code: 'credentials', isRetryable: false } }])
    expect(of('adapterFailed')[0]?.nextAttemptAt).toBeUndefined()
    const { failure } = of('adapterFailed')[0] ?? {}
    expect(`${failure?.message} ${String((failure?.cause as Error | undefined)?.stack)}`).not.toContain('not-the-token')
    expect(bot.gateway.health().adapters[0]?.state).toBe('fatal')
  })
})

const misdeeds: readonly (readonly [string, () => unknown])[] = [
  ['throws', () => raise(new Error('broken tap'))],
  ['throws null', () => raise(null)],
  ['rejects', () => Promise.reject(new Error('broken tap'))],
  ['never ends', () => new Promise(() => {})],
  ['answers with nonsense', () => ({ action: 'explode' })],
]

function raise(error: unknown): never {
  throw error
}

describe('a plugin whose taps misbehave', () => {
  it.each(misdeeds)('and each %s breaks nothing of the house, and stands in the health', async (_what, misdeed) => {
    const register = (host: HostApi): void => {
      for (const hook of watched) host.on(hook, misdeed as () => void)
    }
    const bot = await startEcho([definePlugin({ id: 'careless', register }), listener().plugin])
    const chat = bot.telegram.addPrivateChat()
    for (const [index, text] of ['one', '/ping', '/new', 'two'].entries()) {
      bot.telegram.say(chat, text)
      await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === index + 1)
    }
    expect(bot.telegram.answers(chat)).toEqual(['echo one', 'pong', expect.any(String), 'echo two'])
    const careless = bot.gateway.health().plugins.find(({ id }) => id === 'careless')
    const called: readonly HookName[] = ['preCommand', 'sessionStart', 'turnEnd', 'deliveryOutcome', 'adapterConnected']
    for (const hook of called) expect(careless?.hooks).toContainEqual(expect.objectContaining({ hook, calls: expect.any(Number) }))
    await bot.gateway.stop()
  })

  it('is named with its hook and its reason', async () => {
    const bot = await startEcho([definePlugin({ id: 'careless', register: (host) => void host.on('turnEnd', () => raise(new Error('no disk'))) })])
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'one')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    await expect
      .poll(() => bot.gateway.health().plugins.find(({ id }) => id === 'careless'), { interval: 5 })
      .toMatchObject({
        state: 'degraded',
        hooks: [{ hook: 'turnEnd', failures: 1, lastError: { name: 'Error', message: 'no disk' } }],
      })
    expect(bot.log.filter((line) => line.startsWith('Code of a plugin failed.'))).toEqual([expect.stringContaining('"plugin":"careless"')])
  })
})

describe('a plugin that comes and goes', () => {
  it('a hundred times leaves no tap and no record behind', async () => {
    const bot = await startEcho([])
    const guest = definePlugin({
      id: 'guest',
      register(host) {
        for (const hook of watched) host.on(hook, () => {})
      },
    })
    for (let round = 0; round < 100; round++) {
      const stay = await bot.gateway.use(guest)
      stay.dispose()
    }
    const stay = await bot.gateway.use(guest)
    for (const hook of watched) expect(bot.gateway.hooks[hook].taps).toHaveLength(1)
    stay.dispose()
    await expect.poll(() => bot.gateway.health().plugins.some(({ id }) => id === 'guest')).toBe(false)
    for (const hook of watched) expect(bot.gateway.hooks[hook].taps).toHaveLength(0)
  })
})
