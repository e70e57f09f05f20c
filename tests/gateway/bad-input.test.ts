import { telegram } from '@hermes/adapter-telegram'
import { createAgent, createGateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { ScriptedModel } from '@hermes/core/testing'
import { definePlugin, encodeChoice, HermesError } from '@hermes/plugin-sdk'
import { APICallError } from '@ai-sdk/provider'
import { afterEach, describe, expect, it } from 'vitest'
import { startTestBot, type BotChange, type TestBot } from './test-bot.js'

const bots: TestBot[] = []
const agent = () => createAgent({ model: ScriptedModel.echo() })

afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.stop()
})

async function startBot(change: BotChange = {}): Promise<TestBot> {
  const bot = await startTestBot(change.agent ?? agent(), change)
  bots.push(bot)
  return bot
}

/** What a call threw, as the person at the terminal reads it. */
function errorOf(call: () => unknown): HermesError {
  try {
    call()
  } catch (error) {
    if (HermesError.is(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('options', () => {
  it('names an unknown key and the likely one', () => {
    const error = errorOf(() => telegram({ token: '1:a', alowFrom: ['1'] } as never))
    expect(error.code).toBe('options.invalid')
    expect(error.message).toMatch(/telegram\(\).*\n.*alowFrom: unknown option.*allowFrom/s)
    expect(errorOf(() => createGateway({ agent: agent(), plugin: [] } as never)).message).toContain('did you mean plugins?')
  })

  it.each([
    ['no token', () => telegram({} as never), 'token'],
    ['an empty token', () => telegram({ token: '  ' }), 'token'],
    ['a token from an unset variable', () => telegram({ token: undefined } as never), 'token'],
    ['a number among the ids', () => telegram({ token: '1:a', allowFrom: [1234] } as never), 'allowFrom.0'],
    ['an id with a zero before it', () => telegram({ token: '1:a', allowFrom: ['0123'] }), 'allowFrom.0: is no id of telegram'],
    ['an id in full-width digits', () => telegram({ token: '1:a', admins: ['１２３'] }), 'admins.0'],
    ['a name among the ids', () => telegram({ token: '1:a', allowFrom: ['@ann'] }), 'names change hands'],
    ['no agent', () => createGateway({} as never), 'agent'],
    ['a plugin that is none', () => createGateway({ agent: agent(), plugins: [{}] } as never), 'plugins.0'],
    ['no options at all', () => createGateway(undefined as never), 'agent'],
  ])('refuses %s with the path', (_what, call, path) => {
    const error = errorOf(call)
    expect(error.code).toBe('options.invalid')
    expect(error.message).toContain(path)
  })
})

describe('a running bot', () => {
  it('is fatal, and says so, when the token is wrong; the house goes on', async () => {
    const bot = await startBot({ telegramOptions: { token: '7000001:wrong-token' } })
    const [health] = bot.gateway.health().adapters
    expect(health).toMatchObject({ state: 'fatal' })
    expect(bot.gateway.health().state).toBe('running')
    expect(bot.log.join('\n')).not.toContain('wrong-token')
  })

  it('counts and drops malformed updates, answers what follows, and acknowledges all', async () => {
    const bot = await startBot()
    const chat = bot.telegram.addPrivateChat()
    const odd = [
      {},
      { message: null },
      { message: 'text' },
      { message: { message_id: 1 } },
      { message: { message_id: 2, date: 1, chat: { id: chat.id, type: 'private' }, text: 'no sender' } },
      { message: { message_id: 3, date: 'x', chat: [], from: {}, text: 5, entities: 'no' } },
      { edited_message: { message_id: 'x' } },
      { poll: { id: '1' } },
    ]
    const updates = odd.map((update) => bot.telegram.post(update))
    bot.telegram.say(chat, 'still there?')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    expect(bot.telegram.answers(chat)[0]).toContain('still there?')
    await bot.telegram.waitFor(() => updates.every((update) => bot.telegram.updates.isConfirmed(update.update_id)))
  })

  it('takes a text of 1 MB and unpaired surrogates, and answers', async () => {
    const bot = await startBot({
      agent: createAgent({ model: new ScriptedModel((options) => [{ text: `got ${JSON.stringify(options.prompt).length > 900_000}` }]) }),
    })
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'x'.repeat(1_000_000))
    bot.telegram.say(chat, 'half \ud83d emoji')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 2)
    expect(bot.telegram.answers(chat)).toEqual(['got true', 'got true'])
  })

  it('survives an answer with unpaired surrogates, and an empty one', async () => {
    const bot = await startBot({
      agent: createAgent({ model: new ScriptedModel((options) => [{ text: options.prompt.length < 3 ? 'half \ud83d' : '  ' }]) }),
    })
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'one')
    bot.telegram.say(chat, 'two')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 2)
    expect(bot.telegram.answers(chat)[0]).toContain('half')
    expect(bot.telegram.answers(chat)[1]).toContain('no answer')
  })

  it('says nothing of a secret in log, chat or health, whatever an SDK puts into its error', async () => {
    const key = 'sk-planted-0123456789'
    const model = new ScriptedModel(() => {
      throw new APICallError({
        message: `Incorrect API key provided: ${key}`,
        url: `https://api.example/?key=${key}`,
        requestBodyValues: { key },
        statusCode: 401,
        responseHeaders: { 'x-key': key },
        responseBody: `{"key":"${key}"}`,
      })
    })
    const bot = await startBot({ agent: createAgent({ model }), options: { secrets: [key] } })
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.faults.add({ kind: 'drop-before', method: 'getUpdates' })
    bot.telegram.faults.add({ kind: 'drop-after', method: 'sendMessage' })
    bot.telegram.say(chat, 'hello')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length > 0)
    await bot.gateway.stop()
    const told = [...bot.log, ...bot.telegram.answers(chat), JSON.stringify(bot.gateway.health())].join('\n')
    expect(told).toContain('failed')
    expect(told).not.toContain(key)
    expect(told).not.toContain(bot.telegram.token)
    expect(told).not.toContain(bot.telegram.token.split(':')[1])
  })

  it('lives with a plugin that cannot be loaded, and names it', async () => {
    const broken = definePlugin({
      id: 'broken',
      register() {
        throw new Error('no way')
      },
    })
    const bot = await startBot({ plugins: [broken] })
    expect(bot.gateway.health().plugins).toContainEqual(
      expect.objectContaining({ id: 'broken', state: 'failed', reason: expect.stringContaining('no way') }),
    )
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'hello')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
  })
})

describe('a button', () => {
  it('that no question stands behind starts nothing, whoever presses it and however often, and stops waiting', async () => {
    const turns: unknown[] = []
    const watching = definePlugin({ id: 'watching', register: (host) => void host.on('turnStart', ({ text }) => void turns.push(text)) })
    const bot = await startBot({ plugins: [watching] })
    const people = [bot.telegram.addUser(), bot.telegram.addUser()]
    const group = bot.telegram.addGroup()
    const shown = bot.telegram.say(group, 'a menu', { from: people[0] }).message?.message_id ?? 0
    const forged = ['choice:p1:yes:extra', '', 'x'.repeat(64), '{"promptId":"p1"}', '\u0000']
    const never = [encodeChoice('never-shown', 'yes'), encodeChoice('never-shown', 'yes'), encodeChoice('__proto__', 'constructor')]
    const presses = [...forged, ...never].flatMap((data) => people.map((from) => bot.telegram.press(group, shown, data, from)))
    await bot.telegram.waitFor(() => presses.every((press) => !bot.telegram.isWaiting(press.callback_query.id)))
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'still there?')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    expect(turns).toEqual(['still there?'])
    expect(bot.telegram.answers(group)).toEqual([])
  })
})

describe('what the composer got wrong', () => {
  it('shows the second plugin of one id in the health, and keeps the first', async () => {
    const twin = (said: string) =>
      definePlugin({
        id: 'twin',
        register: (host) => void host.registerCommand({ name: said, description: 'Says who is here.', run: () => said }),
      })
    const bot = await startBot({ plugins: [twin('first'), twin('second')] })
    const health = bot.gateway.health().plugins.filter(({ id }) => id === 'twin')
    expect(health).toEqual([
      { id: 'twin', state: 'registered' },
      { id: 'twin', state: 'failed', reason: expect.stringContaining('taken by twin') as string },
    ])
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, '/first')
    bot.telegram.say(chat, '/second')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 2)
    expect(bot.telegram.answers(chat)).toEqual(['first', expect.stringContaining('do not know /second')])
  })

  it('lives with a plugin that registers ten thousand of everything', async () => {
    const refused = new Map<string, number>()
    const greedy = definePlugin({
      id: 'greedy',
      register(host) {
        const all: { readonly [what: string]: (index: number) => unknown } = {
          handlers: () => host.registerPlatformHandler('telegram', () => {}),
          taps: () => host.on('turnEnd', () => {}),
          commands: (index) => host.registerCommand({ name: `command_${index}`, description: 'One of many.', run: () => 'many' }),
          undos: () => host.onStop(() => {}),
        }
        for (const [what, add] of Object.entries(all))
          for (let index = 0; index < 10_000; index++) {
            try {
              add(index)
            } catch (error) {
              if (!HermesError.is(error, 'value.invalid')) throw error
              refused.set(what, (refused.get(what) ?? 0) + 1)
            }
          }
      },
    })
    const bot = await startBot({ plugins: [greedy] })
    // All of them together have 1000.
    expect(Object.fromEntries(refused)).toEqual({ handlers: 10_000 - 64, taps: 10_000 - 256, commands: 10_000 - 680, undos: 10_000 })
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, '/command_1')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    expect(bot.telegram.answers(chat)).toEqual(['many'])
  })

  it('shows a second adapter of one name in the health, and tells who may speak to the first', async () => {
    const bot = await startBot({ plugins: [telegram({ token: '2:other', allowAll: true })] })
    expect(bot.gateway.health().plugins).toContainEqual({ id: 'telegram', state: 'failed', reason: expect.stringContaining('taken') })
    expect(bot.log.join('\n')).toContain('Everybody may speak to this bot')
    await bot.restart({ telegramOptions: { allowAll: false, unknownSenders: 'ignore' } })
    expect(bot.log.join('\n')).toContain('Nobody may speak to this bot')
  })

  it.each([[undefined], [':memory:'], [''], [{ path: 'x.db', synchronus: 1 }]])('refuses %j as a store', (options) => {
    expect(errorOf(() => sqliteStore(options as never)).code).toBe('options.invalid')
  })
})

describe('the store of a gateway', () => {
  it('rejects start when it cannot be opened, and leaves nothing', async () => {
    const gateway = createGateway({ agent: agent(), store: sqliteStore('/dev/null/hermes.db') })
    await expect(gateway.start()).rejects.toMatchObject({ code: 'store.unavailable' })
    expect(gateway.health().state).toBe('stopped')
    await expect(gateway.start()).rejects.toBeDefined()
    await gateway.stop()
  })
})
