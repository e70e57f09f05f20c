import { createAgent } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { defineCommand, definePlugin, defineTool } from '@hermes/plugin-sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestBot, type BotChange, type TestBot } from './test-bot.js'

const bots: TestBot[] = []

afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.stop()
})

/** A bot whose model answers what a function says of the last text. */
async function startBot(
  answer: (text: string, history: readonly string[]) => string,
  change: BotChange = {},
): Promise<TestBot & { readonly model: ScriptedModel }> {
  const model = new ScriptedModel((options) => {
    const texts = options.prompt.flatMap((message) =>
      message.role === 'user' ? message.content.map((part) => (part.type === 'text' ? part.text : '')) : [],
    )
    return [{ text: answer(texts.at(-1) ?? '', texts) }]
  })
  const bot = await startTestBot(createAgent({ model, instructions: 'You are a test.' }), change)
  bots.push(bot)
  return Object.assign(bot, { model })
}

describe('a conversation over the real wire', () => {
  it('answers a text in a direct chat, and remembers what was said, over a restart too', async () => {
    const bot = await startBot((_text, history) => `You said: ${history.join(', ')}`)
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'one')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    await bot.restart()
    bot.telegram.say(chat, 'two')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 2)
    expect(bot.telegram.answers(chat)).toEqual(['You said: one', 'You said: one, two'])
  })

  it('answers in a group only what speaks to it, and says which message it answers', async () => {
    const bot = await startBot((text) => `heard ${text}`)
    const group = bot.telegram.addGroup()
    bot.telegram.say(group, 'chatter')
    bot.telegram.say(group, '@hermes_test_bot question')
    await bot.telegram.waitFor(() => bot.telegram.answers(group).length === 1)
    const [, asked, answer] = bot.telegram.shown(group)
    expect(answer?.text).toContain('question')
    expect(answer?.text).not.toContain('chatter')
    expect(answer?.replyTo).toBe(asked?.id)
  })

  it('begins a new conversation with /new, also in a group, for the person who asked', async () => {
    const bot = await startBot((_text, history) => history.join(' | '))
    const group = bot.telegram.addGroup()
    const [ann, ben] = [bot.telegram.addUser({ first_name: 'Ann' }), bot.telegram.addUser({ first_name: 'Ben' })]
    const ask = async (from: typeof ann, text: string): Promise<string> => {
      const before = bot.telegram.answers(group).length
      bot.telegram.say(group, text, { from })
      await bot.telegram.waitFor(() => bot.telegram.answers(group).length === before + 1)
      return bot.telegram.answers(group).at(-1) ?? ''
    }
    await ask(ann, '@hermes_test_bot a1')
    await ask(ben, '@hermes_test_bot b1')
    expect(await ask(ann, '/new@hermes_test_bot')).toContain('New conversation')
    expect(await ask(ann, '@hermes_test_bot a2')).toBe('[Ann] a2')
    expect(await ask(ben, '@hermes_test_bot b2')).toBe('[Ben] b1 | [Ben] b2')
  })

  it('lets the agent call a tool of a plugin, and a person a command of one', async () => {
    const weather = defineTool({
      name: 'weather',
      description: 'Tells the weather.',
      input: z.object({ city: z.string() }),
      run: ({ city }) => `sunny in ${city}`,
    })
    const plugin = definePlugin({
      id: 'weather',
      register(host) {
        host.registerTool(weather)
        host.registerCommand(defineCommand({ name: 'ping', description: 'Answer pong', run: ({ args }) => `pong ${args}` }))
      },
    })
    const model = new ScriptedModel((options) => {
      const last = options.prompt.at(-1)
      if (last?.role !== 'tool') return [{ toolCall: { name: 'weather', input: { city: 'Rome' } } }]
      return [{ text: `It is ${JSON.stringify(last.content).includes('sunny in Rome') ? 'sunny' : 'unknown'}.` }]
    })
    const bot = await startTestBot(createAgent({ model }), { plugins: [plugin] })
    bots.push(bot)
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'weather?')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    bot.telegram.say(chat, '/ping 1')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 2)
    expect(bot.telegram.answers(chat)).toEqual(['It is sunny.', 'pong 1'])
  })

  it('splits an answer of 9,000 characters, and no code block breaks', async () => {
    const code = Array.from({ length: 300 }, (_, index) => `const line${index} = '${'x'.repeat(12)}'`).join('\n')
    const bot = await startBot(() => `Here it is:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nDone.`)
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'code')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).some((text) => text.includes('Done.')))
    const pieces = bot.telegram.shown(chat).filter((message) => message.isBot)
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.every((piece) => piece.text.length <= 4096)).toBe(true)
    expect(pieces.every((piece) => piece.entities.some((entity) => entity.type === 'pre' && 'language' in entity && entity.language === 'ts'))).toBe(
      true,
    )
    const shown = pieces.map((piece) => piece.text).join('\n')
    for (const line of code.split('\n')) expect(shown).toContain(line)
    expect(shown).not.toContain('```')
  })

  it('tells with /help and /status what it can do and does, and that a command is unknown', async () => {
    const bot = await startBot((text) => text)
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, '/help')
    bot.telegram.say(chat, '/nonsense')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 2)
    bot.telegram.say(chat, 'hello')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 3)
    bot.telegram.say(chat, '/status')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 4)
    const [help, unknown, , status] = bot.telegram.answers(chat)
    for (const name of ['help', 'status', 'new', 'stop']) expect(help).toContain(`/${name}`)
    expect(unknown).toContain('/nonsense')
    expect(status).toContain('2 messages')
  })

  it('stops a running turn with /stop, and answers the next message', async () => {
    const model = new ScriptedModel((options) => {
      // A question that was stopped stays unanswered; the next one is joined to it.
      const asked = options.prompt.at(-1)?.content.at(-1)
      return JSON.stringify(asked).includes('forever') ? [{ hang: true }] : 'here'
    })
    const bot = await startTestBot(createAgent({ model }))
    bots.push(bot)
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'forever')
    await expect.poll(() => model.calls.length, { interval: 5 }).toBe(1)
    bot.telegram.say(chat, '/stop')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    bot.telegram.say(chat, 'hello')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 2)
    expect(bot.telegram.answers(chat)).toEqual(['⏹ Stopped.', 'here'])
  })

  it('takes 20 messages of one chat to a slow model, all and in order', async () => {
    const bot = await startBot((text) => text)
    const chat = bot.telegram.addPrivateChat()
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`)
    for (const text of texts) bot.telegram.say(chat, text)
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 20)
    expect(bot.telegram.answers(chat)).toEqual(texts)
    expect(bot.model.calls).toHaveLength(20)
  })

  it('waits out a 429 on a send: delivered once, the turn not run again', async () => {
    const bot = await startBot((text) => text)
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.faults.add({ kind: 'rate-limit', retryAfterSeconds: 1, method: 'sendMessage' })
    bot.telegram.say(chat, 'hello')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    const [refused, accepted] = bot.telegram.ledger.of('sendMessage')
    expect((accepted?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(1000)
    expect(bot.telegram.answers(chat)).toEqual(['hello'])
    expect(bot.model.calls).toHaveLength(1)
  })

  it('drops the stale queue of a true first boot alone', async () => {
    const bot = await startBot((text) => text)
    await bot.restart()
    await bot.telegram.waitFor(() => bot.telegram.ledger.of('deleteWebhook').length === 2)
    const drops = bot.telegram.ledger.of('deleteWebhook').map((call) => call.payload.drop_pending_updates)
    expect(drops.map((drop) => String(drop))).toEqual(['true', 'false'])
  })
})
