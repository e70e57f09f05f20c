import { defineCommand, definePlugin, type HookTap, type HostApi, type InboundEvent, type Plugin } from '@hermes/plugin-sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { startEchoBot } from './echo-bot.js'
import type { TestBot } from './test-bot.js'

const bots: TestBot[] = []

afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.stop()
})

async function startBot(...args: Parameters<typeof startEchoBot>): Promise<TestBot> {
  const bot = await startEchoBot(...args)
  bots.push(bot)
  return bot
}

/** A plugin that only judges events. */
const judging = (id: string, tap: HookTap<'preDispatch'>): Plugin =>
  definePlugin({ id, register: (host: HostApi) => void host.on('preDispatch', tap) })

const textOf = (event: InboundEvent): string => (event.kind === 'message' ? event.text : '')

describe('a plugin that is asked about every event', () => {
  it('skips one in a logged silence, for good, and what is behind it goes on', async () => {
    const asked: string[] = []
    const spam = judging('no-spam', ({ event }) => {
      asked.push(textOf(event))
      return textOf(event).includes('spam') ? { action: 'skip', reason: 'unwanted' } : { action: 'allow' }
    })
    const bot = await startBot([spam])
    const chat = bot.telegram.addPrivateChat()
    for (const text of ['spam', 'ham']) bot.telegram.say(chat, text)
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    expect(bot.telegram.answers(chat)).toEqual(['echo ham'])
    expect(bot.log).toContainEqual(expect.stringMatching(/^An event starts nothing\. .*skipped by no-spam: unwanted/))
    await bot.restart()
    bot.telegram.say(chat, 'more ham')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 2)
    expect(asked).toEqual(['spam', 'ham', 'more ham'])
  })

  // plugins 29
  it('rewrites the text of a message, also into a command; a skip behind a rewrite comes too late', async () => {
    const shout = judging('shout', async ({ event }) => {
      if (event.kind !== 'message') return undefined
      return { action: 'rewrite', text: event.text === 'start over' ? '/new' : event.text.toUpperCase() }
    })
    const bot = await startBot([shout, judging('never', () => ({ action: 'skip', reason: 'too late' }))])
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'hello')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    bot.telegram.say(chat, 'start over')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 2)
    expect(bot.telegram.answers(chat)).toEqual(['echo HELLO', expect.stringContaining('New conversation')])
  })

  it('sees events of other kinds as well, before access is judged', async () => {
    const seen: string[] = []
    const watching = judging('watching', ({ event, chat }) => void seen.push(`${chat.adapter} ${event.kind} ${event.author?.id}`))
    const bot = await startBot([watching], {
      telegramOptions: { allowAll: false, allowFrom: ['42'], unknownSenders: 'ignore', requireMention: true },
    })
    const group = bot.telegram.addGroup()
    const friend = bot.telegram.addUser({ id: 42 })
    const said = bot.telegram.say(group, 'chatter', { from: friend })
    bot.telegram.edit(group, said.message?.message_id ?? 0, 'edited chatter')
    await expect.poll(() => seen, { interval: 5, timeout: 5000 }).toEqual(['telegram message 42', 'telegram edit 42'])
    expect(bot.telegram.answers(group)).toEqual([])
  })

  it('and takes its time keeps the order of a chat, and holds no other chat', async () => {
    const gates = new Map<string, () => void>()
    const slow = judging('slow', ({ event }) => {
      if (!textOf(event).startsWith('slow')) return undefined
      return new Promise<undefined>((resolve) => gates.set(textOf(event), () => resolve(undefined)))
    })
    const bot = await startBot([slow])
    const [first, second] = [bot.telegram.addPrivateChat(), bot.telegram.addPrivateChat()]
    bot.telegram.say(first, 'slow one')
    bot.telegram.say(first, 'quick one')
    bot.telegram.say(second, 'elsewhere')
    await bot.telegram.waitFor(() => bot.telegram.answers(second).length === 1)
    expect(bot.telegram.answers(first)).toEqual([])
    gates.get('slow one')?.()
    await bot.telegram.waitFor(() => bot.telegram.answers(first).some((text) => text.includes('quick one')))
    expect(bot.telegram.answers(first).join(' ').indexOf('slow one')).toBeLessThan(bot.telegram.answers(first).join(' ').indexOf('quick one'))
  })

  it('and hangs does not hold the end of the house; the next start asks again', async () => {
    let isHanging = true
    const asked: string[] = []
    const hanging = judging('hanging', ({ event }) => {
      asked.push(textOf(event))
      return isHanging ? new Promise<undefined>(() => {}) : undefined
    })
    const bot = await startBot([hanging])
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'patience')
    await expect.poll(() => asked, { interval: 5 }).toEqual(['patience'])
    isHanging = false
    await bot.restart()
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    expect(bot.telegram.answers(chat)).toEqual(['echo patience'])
    expect(asked).toEqual(['patience', 'patience'])
  })

  it('does not make a long command of a plugin hold what is behind it', async () => {
    let finish: () => void = () => {}
    const long = defineCommand({
      name: 'long',
      description: 'Takes its time.',
      run: () => new Promise<string>((resolve) => (finish = () => resolve('done'))),
    })
    const plugin = definePlugin({
      id: 'commands',
      register(host) {
        host.registerCommand(long)
        host.on('preDispatch', () => undefined)
      },
    })
    const bot = await startBot([plugin])
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, '/long')
    bot.telegram.say(chat, 'meanwhile')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    finish()
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 2)
    expect(bot.telegram.answers(chat)).toEqual(['echo meanwhile', 'done'])
  })

  it.each<[string, () => unknown]>([
    ['throws', () => fail()],
    ['rejects with nothing', () => Promise.reject(null)],
    ['answers with nonsense', () => ({ action: 'explode' })],
  ])('and %s lets everything pass', async (_what, misdeed) => {
    const bot = await startBot([judging('careless', misdeed as HookTap<'preDispatch'>)])
    const chat = bot.telegram.addPrivateChat()
    bot.telegram.say(chat, 'hello')
    await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
    expect(bot.gateway.health().plugins).toContainEqual(
      expect.objectContaining({ id: 'careless', state: 'degraded', hooks: [expect.objectContaining({ hook: 'preDispatch', failures: 1 })] }),
    )
  })
})

function fail(): never {
  throw new Error('broken')
}
