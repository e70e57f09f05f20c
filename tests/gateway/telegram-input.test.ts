import { createAgent } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { defineCommand, definePlugin } from '@hermes/plugin-sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { startTestBot, type BotChange, type TestBot } from './test-bot.js'

const bots: TestBot[] = []
const png = Buffer.from('\x89PNG\r\n\x1a\ncat', 'latin1')

afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.stop()
})

/** A bot whose model tells all that it was sent since its last answer: texts, and bytes of images as `<cat>`. */
async function startBot(change: BotChange = {}): Promise<TestBot & { readonly model: ScriptedModel }> {
  const model = new ScriptedModel((options) => [
    {
      text: `heard: ${options.prompt
        .slice(options.prompt.findLastIndex(({ role }) => role === 'assistant') + 1)
        .flatMap(contentOf)
        .join(' + ')}`,
    },
  ])
  const bot = await startTestBot(createAgent({ model }), change)
  bots.push(bot)
  return Object.assign(bot, { model })
}

function contentOf(message: ScriptedModel['calls'][number]['prompt'][number]): readonly string[] {
  if (message.role !== 'user') return []
  return message.content.flatMap((part) => {
    if (part.type === 'text') return part.text.startsWith('[image/') ? [] : [part.text]
    return part.data instanceof Uint8Array ? [`<${Buffer.from(part.data).toString('latin1').slice(8)}>`] : []
  })
}

const answersOf = async (bot: TestBot, chat: Parameters<TestBot['telegram']['answers']>[0], count: number): Promise<readonly string[]> => {
  await bot.telegram.waitFor(() => bot.telegram.answers(chat).length >= count, { what: `answer ${count}` })
  return bot.telegram.answers(chat)
}

describe('what people send besides words', () => {
  it('reaches the model: a picture with its caption', async () => {
    const bot = await startBot()
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.share(chat, { photo: [{ ...bot.telegram.addFile(png), width: 1, height: 1 }], caption: 'what is it?' })
    expect(await answersOf(bot, chat, 1)).toEqual(['heard: what is it? + <cat>'])
  })

  it('is one message where it was an album, however it came in, and also with nothing said', async () => {
    const bot = await startBot()
    const chat = bot.telegram.addPrivateChat()
    const item = (name: string) => ({
      photo: [{ ...bot.telegram.addFile(Buffer.concat([png, Buffer.from(name)])), width: 1, height: 1 }],
      media_group_id: '1',
    })
    bot.telegram.share(chat, { ...item('1'), caption: 'look' })
    bot.telegram.share(chat, item('2'))
    bot.telegram.say(chat, 'and this')
    bot.telegram.share(chat, item('3'))
    expect(await answersOf(bot, chat, 2)).toEqual(['heard: look + <cat1> + <cat2> + <cat3>', 'heard: and this'])
    bot.telegram.share(chat, { ...item('4'), media_group_id: '2' })
    expect((await answersOf(bot, chat, 3)).at(-1)).toBe('heard: <cat4>')
  })

  it('is judged as one in a group, where only the caption speaks to us', async () => {
    const bot = await startBot()
    const group = bot.telegram.addGroup()
    const from = bot.telegram.addUser({ first_name: 'Ann' })
    const photo = () => [{ ...bot.telegram.addFile(png), width: 1, height: 1 }]
    const entities = [{ type: 'mention' as const, offset: 0, length: 16 }]
    bot.telegram.share(group, { photo: photo(), media_group_id: '1' }, { from })
    bot.telegram.share(group, { photo: photo(), media_group_id: '1', caption: '@hermes_test_bot look', caption_entities: entities }, { from })
    expect(await answersOf(bot, group, 1)).toEqual(['heard: [Ann] look + <cat> + <cat>'])
  })

  it('comes by plugins as one message, whose words they may change', async () => {
    const seen: number[] = []
    const plugin = definePlugin({
      id: 'reader',
      register: (host) =>
        void host.on('preDispatch', ({ event }) => {
          seen.push(event.kind === 'message' ? (event.attachments?.length ?? 0) : -1)
          return { action: 'rewrite', text: 'rewritten' }
        }),
    })
    const bot = await startBot({ plugins: [plugin] })
    const chat = bot.telegram.addPrivateChat()
    const item = () => ({ photo: [{ ...bot.telegram.addFile(png), width: 1, height: 1 }], media_group_id: '1' })
    bot.telegram.share(chat, { ...item(), caption: 'look' })
    bot.telegram.share(chat, item())
    expect(await answersOf(bot, chat, 1)).toEqual(['heard: rewritten + <cat> + <cat>'])
    expect(seen).toEqual([2])
  })

  it('is not lost with a crash while an album is still coming', async () => {
    const bot = await startBot()
    const chat = bot.telegram.addPrivateChat()
    const item = (name: string) => ({ photo: [{ ...bot.telegram.addFile(Buffer.concat([png, Buffer.from(name)])), width: 1, height: 1 }] })
    bot.telegram.share(chat, { ...item('1'), media_group_id: '1' })
    const update = bot.telegram.share(chat, { ...item('2'), media_group_id: '1' })
    await bot.telegram.waitFor(() => bot.telegram.updates.isConfirmed(update.update_id))
    expect(bot.model.calls).toHaveLength(0)
    await bot.restart()
    expect(await answersOf(bot, chat, 1)).toEqual(['heard: <cat1> + <cat2>'])
  })

  it('becomes a line where it cannot be fetched, and the words are answered all the same', async () => {
    const bot = await startBot()
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.faults.add({ kind: 'error-before', method: 'downloadFile', status: 500 })
    bot.telegram.share(chat, { document: { ...bot.telegram.addFile(png), file_name: 'cat.png' }, caption: 'read it' })
    const [answer] = await answersOf(bot, chat, 1)
    expect(answer).toMatch(/^heard: read it \+ \[document cat\.png: could not be fetched \(.*500.*\)\]$/)
    expect(bot.log.join('\n')).not.toContain(bot.telegram.token)
  })

  it('quotes what is answered', async () => {
    const bot = await startBot()
    const chat = bot.telegram.addPrivateChat()
    const first = bot.telegram.say(chat, 'tea').message?.message_id
    await answersOf(bot, chat, 1)
    bot.telegram.say(chat, 'why?', { replyTo: first })
    await answersOf(bot, chat, 2)
    expect(bot.model.calls.at(-1)?.prompt.flatMap(contentOf).at(-1)).toMatch(/^\[In answer to Person \d+:\]\n> tea\n\nwhy\?$/)
  })
})

describe('a chat', () => {
  it('goes on with its conversation when a group becomes a supergroup', async () => {
    const bot = await startBot()
    const group = bot.telegram.addGroup()
    const from = bot.telegram.addUser({ first_name: 'Ann' })
    bot.telegram.say(group, '@hermes_test_bot one', { from })
    await answersOf(bot, group, 1)
    const supergroup = bot.telegram.migrate(group)
    bot.telegram.say(supergroup, '@hermes_test_bot two', { from })
    await answersOf(bot, supergroup, 1)
    expect(bot.model.calls.at(-1)?.prompt.filter(({ role }) => role === 'user')).toHaveLength(2)
  })

  it('is one of its own for each topic of a forum, the first one too', async () => {
    const bot = await startBot()
    const forum = bot.telegram.addSupergroup({ isForum: true })
    const threadId = bot.telegram.addTopic(forum)
    const from = bot.telegram.addUser({ first_name: 'Ann' })
    bot.telegram.say(forum, '@hermes_test_bot general', { from })
    bot.telegram.say(forum, '@hermes_test_bot topic', { from, threadId })
    await answersOf(bot, forum, 2)
    const shown = bot.telegram.shown(forum).filter((message) => message.isBot)
    const placed = shown.map((message) => `${message.threadId}: ${message.text.split(' ').at(-1)}`)
    expect(new Set(placed)).toEqual(new Set([`${threadId}: topic`, 'undefined: general']))
  })
})

describe('the command menu', () => {
  const plugin = definePlugin({
    id: 'extra',
    register: (host) => void host.registerCommand(defineCommand({ name: 'deep-research', description: 'Look deeper', run: () => 'looking' })),
  })

  it('shows after the connect what there is, follows what comes and goes, and its names work', async () => {
    const bot = await startBot()
    const names = () => bot.telegram.commands('all_private_chats').map(({ command }) => command)
    await bot.telegram.waitFor(() => names().includes('help'))
    const registration = await bot.gateway.use(plugin)
    await bot.telegram.waitFor(() => names().includes('deep_research'))
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, '/deep_research')
    expect(await answersOf(bot, chat, 1)).toEqual(['looking'])
    registration.dispose()
    await bot.telegram.waitFor(() => !names().includes('deep_research'))
  })

  it('delays nothing and fails nothing where Telegram does not take it', async () => {
    const bot = await startBot()
    bot.telegram.faults.add({ kind: 'hang', method: 'getMyCommands', times: 3 })
    await bot.restart()
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'hello')
    expect(await answersOf(bot, chat, 1)).toEqual(['heard: hello'])
  })
})
