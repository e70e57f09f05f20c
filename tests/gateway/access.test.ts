import { createAgent } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { defineCommand, definePlugin, encodeChoice } from '@hermes/plugin-sdk'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { PaperHouses } from './paper-house.js'
import { until } from './paper-platform.js'
import { startTestBot, type BotChange, type TestBot } from './test-bot.js'

const bots: TestBot[] = []
const houses = new PaperHouses()
const adminId = 4242
const wrongCode = 'AAAAAAAA'

afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.stop()
  await houses.close()
})
afterAll(() => houses.dispose())

type Access = Omit<NonNullable<BotChange['telegramOptions']>, 'token'>
type Chat = ReturnType<TestBot['telegram']['addGroup']>

/** An echoing bot with these access options alone. */
async function startBot(access: Access, change: BotChange = {}): Promise<TestBot> {
  const agent = createAgent({ model: ScriptedModel.echo() })
  const bot = await startTestBot(agent, { ...change, telegramOptions: { allowAll: false, ...access } })
  bots.push(bot)
  return bot
}

/** Says something and waits for what the bot says next in that chat. */
async function ask(bot: TestBot, chat: Chat, text: string, options: Parameters<TestBot['telegram']['say']>[2] = {}): Promise<string> {
  const before = bot.telegram.answers(chat).length
  bot.telegram.say(chat, text, options)
  return bot.telegram.waitFor(() => bot.telegram.answers(chat)[before])
}

/** Waits until the bot has acknowledged all that was posted. */
async function allTaken(bot: TestBot): Promise<void> {
  await bot.telegram.waitFor(() => bot.telegram.updates.pending.length === 0)
}

/** Commits of the store, once nothing is under way any more. */
async function commitsOf(bot: TestBot): Promise<number> {
  await until(() => {
    const { adapters, delivery, store } = bot.gateway.health()
    return adapters[0]?.state === 'connected' && delivery.waiting + store.waiting === 0
  }, 'the bot is idle')
  return bot.gateway.health().store.commits
}

const adminChat = (bot: TestBot): Chat => bot.telegram.addPrivateChat(bot.telegram.addUser({ id: adminId, first_name: 'Ada' }))
const deniedOf = (bot: TestBot): number | undefined => bot.gateway.health().adapters[0]?.access.denied
const codeIn = (text: string): string => /code: ([A-Z2-9]{8})/.exec(text)?.[1] ?? `no code in ${text}`

async function filesOf(bot: TestBot): Promise<string> {
  const names = await readdir(bot.directory)
  return (await Promise.all(names.map((name) => readFile(join(bot.directory, name), 'latin1').catch(() => '')))).join('\n')
}

describe('pairing in chats', () => {
  it('shows a stranger a code; once an admin has approved it, the stranger is answered, over a restart too', async () => {
    const bot = await startBot({ admins: [String(adminId)] })
    const stranger = bot.telegram.addPrivateChat(bot.telegram.addUser({ first_name: 'Sam' }))
    const code = codeIn(await ask(bot, stranger, 'hello'))
    const approved = bot.telegram.answers(stranger).length
    expect(await ask(bot, adminChat(bot), `/pair ${code.toLowerCase()}`)).toContain('Sam is let in')
    expect(await bot.telegram.waitFor(() => bot.telegram.answers(stranger)[approved])).toContain('You are let in')
    expect(await ask(bot, stranger, 'it is me')).toContain('it is me')
    await bot.restart()
    expect(await ask(bot, stranger, 'and again')).toContain('and again')
  })

  it('writes a code into no file and no log, and lets the application approve, list and revoke', async () => {
    const bot = await startBot({})
    const stranger = bot.telegram.addPrivateChat()
    const code = codeIn(await ask(bot, stranger, 'hello'))
    const person = { adapter: 'telegram', userId: String(stranger.id) }
    expect((await bot.gateway.access.list()).waiting).toMatchObject([person])
    expect(JSON.stringify([await bot.gateway.access.list(), bot.log, bot.gateway.health()])).not.toContain(code)
    expect(await filesOf(bot)).not.toContain(code)
    expect(await bot.gateway.access.approve({ adapter: 'telegram', code })).toMatchObject({ outcome: 'approved', person })
    expect(await bot.telegram.waitFor(() => bot.telegram.answers(stranger)[1])).toContain('let in')
    expect((await bot.gateway.access.list()).paired).toMatchObject([person])
    expect(await ask(bot, stranger, 'first')).toContain('first')
    expect(await bot.gateway.access.revoke(person)).toBe(true)
    expect(codeIn(await ask(bot, stranger, 'second'))).not.toBe(code)
  })

  // adapters 32
  it('takes no code any more after five wrong ones, also not the right one', async () => {
    const bot = await startBot({ admins: [String(adminId)] })
    const stranger = bot.telegram.addPrivateChat()
    const code = codeIn(await ask(bot, stranger, 'hello'))
    const admin = adminChat(bot)
    for (let tries = 0; tries < 5; tries++) expect(await ask(bot, admin, `/pair ${wrongCode}`)).toContain('No code like that')
    expect(await ask(bot, admin, `/pair ${code}`)).toContain('Too many wrong codes. I take none for 60 minutes.')
    expect(await bot.gateway.access.approve({ adapter: 'telegram', code })).toMatchObject({ outcome: 'locked' })
  })

  // adapters 31
  it('gives three strangers a code, and neither turns nor writes to all others', async () => {
    const bot = await startBot({})
    const chats = Array.from({ length: 3 }, () => bot.telegram.addPrivateChat())
    for (const chat of chats) codeIn(await ask(bot, chat, 'hello'))
    const commits = await commitsOf(bot)
    const others = Array.from({ length: 100 }, () => bot.telegram.addPrivateChat())
    for (const chat of [...others, ...chats]) bot.telegram.say(chat, 'let me in')
    await allTaken(bot)
    expect(deniedOf(bot)).toBe(103)
    expect(await commitsOf(bot)).toBe(commits)
    expect(others.flatMap((chat) => bot.telegram.answers(chat))).toEqual([])
    expect(bot.telegram.ledger.of('sendMessage')).toHaveLength(3)
  })

  it('keeps the code of /pair from hooks', async () => {
    const seen: unknown[] = []
    const watch = definePlugin({ id: 'watch', register: (host) => void host.on('preCommand', ({ name, args }) => void seen.push([name, args])) })
    const bot = await startBot({ admins: [String(adminId)] }, { plugins: [watch] })
    await ask(bot, adminChat(bot), `/pair ${wrongCode}`)
    expect(seen).toEqual([['pair', '']])
  })
})

describe('who is certainly not allowed', () => {
  it('is counted and acknowledged; a flood of strangers writes nothing, and people are answered all the same', async () => {
    const bot = await startBot({ allowFrom: [String(adminId)] })
    const commits = await commitsOf(bot)
    const strangers = Array.from({ length: 30 }, () => bot.telegram.addPrivateChat())
    for (let times = 0; times < 10; times++) for (const chat of strangers) bot.telegram.say(chat, 'a flood')
    await allTaken(bot)
    expect(deniedOf(bot)).toBe(300)
    expect(await commitsOf(bot)).toBe(commits)
    expect(bot.gateway.health().adapters[0]?.access).toEqual({ mode: 'listed', denied: 300, overQuota: 0 })
    expect(await ask(bot, adminChat(bot), 'still there?')).toContain('still there?')
    expect(await filesOf(bot)).not.toContain('a flood')
  })

  it('is judged the same for a button, a reaction, an edit, a command and a word to us in a group', async () => {
    const bot = await startBot({ allowFrom: [String(adminId)] })
    const { telegram } = bot
    const [ada, sam] = [telegram.addUser({ id: adminId }), telegram.addUser()]
    const group = telegram.addGroup()
    await ask(bot, group, '@hermes_test_bot hello', { from: ada })
    const shown = telegram.shown(group).at(-1)?.id ?? 0
    const commits = await commitsOf(bot)
    const deeds = (from: typeof ada): void => {
      telegram.press(group, shown, encodeChoice('prompt', 'yes'), from)
      telegram.react(group, shown, ['👍'], from)
      telegram.post({ edited_message: { message_id: 1, date: 1, edit_date: 2, chat: group, from, text: '@hermes_test_bot changed' } })
      telegram.say(group, '/status@hermes_test_bot', { from })
      telegram.say(group, '@hermes_test_bot hello', { from })
    }
    deeds(sam)
    await allTaken(bot)
    expect(deniedOf(bot)).toBe(5)
    expect(await commitsOf(bot)).toBe(commits)
    const before = telegram.answers(group).length
    deeds(ada)
    await telegram.waitFor(() => telegram.answers(group).length === before + 2)
    expect(deniedOf(bot)).toBe(5)
  })
})

describe('a chat of several people', () => {
  it('hears strangers never, people where they speak to the bot, and answers to it', async () => {
    const bot = await startBot({ allowFrom: [String(adminId)] })
    const group = bot.telegram.addGroup()
    const ada = bot.telegram.addUser({ id: adminId })
    for (const text of ['chatter', '@somebody_else look', '/status@other_bot']) bot.telegram.say(group, text, { from: ada })
    bot.telegram.say(group, '@hermes_test_bot hello', { from: bot.telegram.addUser() })
    expect(await ask(bot, group, '@hermes_test_bot one', { from: ada })).toContain('one')
    const answer = bot.telegram.shown(group).at(-1)?.id
    expect(await ask(bot, group, 'two', { from: ada, replyTo: answer })).toContain('two')
    expect(bot.telegram.answers(group)).toHaveLength(2)
  })

  it('hears everything there where no mention is asked for, but what speaks to others', async () => {
    const bot = await startBot({ allowFrom: [String(adminId)], requireMention: false })
    const group = bot.telegram.addGroup()
    const ada = bot.telegram.addUser({ id: adminId })
    bot.telegram.say(group, '@somebody_else look', { from: ada })
    expect(await ask(bot, group, 'chatter', { from: ada })).toContain('chatter')
    expect(bot.telegram.answers(group)).toHaveLength(1)
  })
})

describe('the tiers of commands', () => {
  const wipe = defineCommand({ name: 'wipe', description: 'Wipe it all', tier: 'admin', run: () => 'wiped' })
  const plugins = [definePlugin({ id: 'wiping', register: (host) => void host.registerCommand(wipe) })]

  it('lets admins run what is for admins; others neither run it nor see it in /help', async () => {
    const bot = await startBot({ allowAll: true, admins: [String(adminId)] }, { plugins })
    const [admin, user] = [adminChat(bot), bot.telegram.addPrivateChat()]
    expect(await ask(bot, admin, '/wipe')).toBe('wiped')
    expect(await ask(bot, user, '/wipe')).toContain('/wipe is for admins only')
    expect(await ask(bot, user, `/pair ${wrongCode}`)).toContain('/pair is for admins only')
    const [helpOfAdmin, helpOfUser] = [await ask(bot, admin, '/help'), await ask(bot, user, '/help')]
    for (const name of ['/wipe', '/pair', '/whoami']) expect(helpOfAdmin).toContain(name)
    for (const name of ['/help', '/new', '/stop', '/whoami']) expect(helpOfUser).toContain(name)
    expect(helpOfUser).not.toMatch(/\/wipe|\/pair/)
    expect(await ask(bot, admin, '/whoami')).toMatch(/Ada, id 4242[^]*admin/)
    expect(await ask(bot, user, '/whoami')).not.toContain('admin')
    expect(bot.telegram.commands().map(({ command }) => command)).not.toContain('wipe')
  })

  it('is open to everybody where no admins are named, but for /pair', async () => {
    const bot = await startBot({ allowAll: true }, { plugins })
    const user = bot.telegram.addPrivateChat()
    expect(await ask(bot, user, '/wipe')).toBe('wiped')
    expect(await ask(bot, user, `/pair ${wrongCode}`)).toContain('for admins only')
  })
})

describe('the quota of a sender', () => {
  it('takes so many messages a minute, says once that there were more, and leaves others alone', async () => {
    const { paper, gateway, model } = await houses.open({ options: { limits: { messagesPerMinute: 3 } } })
    const receipts = await Promise.all(Array.from({ length: 6 }, (_, index) => paper.say('u1', `message ${index}`)))
    expect(receipts).toEqual(['stored', 'stored', 'stored', 'ignored', 'ignored', 'ignored'])
    await paper.say('u2', 'mine')
    await until(() => paper.answers('u1').length === 4 && paper.answers('u2').length === 1)
    expect(paper.answers('u1').filter((text) => text.includes('3 messages a minute'))).toHaveLength(1)
    expect(model.calls).toHaveLength(4)
    expect(gateway.health().adapters[0]?.access).toEqual({ mode: 'everybody', denied: 0, overQuota: 3 })
  })
})
