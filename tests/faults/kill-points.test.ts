import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTelegramEmulator, type PlantedFault, type TelegramEmulator } from '../emulators/index.js'
import { BotRunner } from './bot-runner.js'
import type { KillPoint } from './kill-point.js'

const mark = '↻'
let telegram: TelegramEmulator
let directory: string
const bots: BotRunner[] = []

beforeEach(async () => {
  telegram = await startTelegramEmulator()
  directory = await mkdtemp(join(tmpdir(), 'hermes-kill-'))
})

afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.kill()
  await telegram.stop()
  await rm(directory, { recursive: true, force: true })
})

function startBot(killAt?: KillPoint): BotRunner {
  const settings = { apiRoot: telegram.url, token: telegram.token, database: join(directory, 'hermes.db'), effects: join(directory, 'effects') }
  const bot = new BotRunner({ ...settings, killAt })
  bots.push(bot)
  return bot
}

async function effects(): Promise<string[]> {
  const text = await readFile(join(directory, 'effects'), 'utf8').catch(() => '')
  return text.split('\n').filter(Boolean)
}

/** A first message makes sure that the bot is known, so that the kill meets an ordinary one. */
async function talkOnce(): Promise<ReturnType<TelegramEmulator['addPrivateChat']>> {
  const chat = telegram.addPrivateChat()
  const bot = startBot()
  await telegram.waitFor(() => telegram.updates.isPolled)
  telegram.say(chat, 'hello')
  await telegram.waitFor(() => telegram.answers(chat).length === 1)
  await bot.kill('SIGTERM')
  return chat
}

/** Posts texts at once to a bot that dies at the point, starts another, and waits until that has answered a further text. */
async function survive(texts: string | readonly string[], killAt: KillPoint) {
  const chat = await talkOnce()
  for (const text of [texts].flat()) telegram.say(chat, text)
  const doomed = startBot(killAt)
  expect(await doomed.ended()).toBe('SIGKILL')
  startBot()
  telegram.say(chat, 'and then')
  await telegram.waitFor(() => telegram.answers(chat).includes('answer to and then'), { timeoutMs: 30_000 })
  return { answers: telegram.answers(chat).slice(1), effects: await effects() }
}

/** The send of a first answer is held, so that the piece of a second one has to wait in the outbox of a bot that dies at the point. */
async function surviveBehindSend(killAt: KillPoint, whenReceived: (slow: PlantedFault) => Promise<void>) {
  const chat = await talkOnce()
  const doomed = startBot(killAt)
  const slow = telegram.faults.add({ kind: 'slow', method: 'sendMessage' })
  telegram.say(chat, 'one')
  await telegram.waitFor(() => telegram.answers(chat).includes('answer to one'))
  const second = telegram.say(chat, 'two')
  await telegram.waitFor(() => telegram.updates.isConfirmed(second.update_id))
  await whenReceived(slow)
  expect(await doomed.ended()).toBe('SIGKILL')
  slow.release()
  startBot()
  telegram.say(chat, 'and then')
  await telegram.waitFor(() => telegram.answers(chat).includes('answer to and then'), { timeoutMs: 30_000 })
  return { chat, answers: telegram.answers(chat).slice(1) }
}

describe('after kill -9', () => {
  it.each<[string, KillPoint]>([
    ['when the event was delivered', { moment: 'before', command: 'inbox.receive' }],
    ['when it was committed to its lane', { moment: 'after', command: 'inbox.receive' }],
    ['when the turn was started', { moment: 'after', command: 'turn.claim' }],
    ['when the model had answered', { moment: 'before', command: 'turn.end' }],
  ])('%s, the message is answered once and without a mark', async (_where, killAt) => {
    const { answers } = await survive('question', killAt)
    expect(answers).toEqual(['answer to question', 'answer to and then'])
  })

  it('when the row of a command was committed, it is run once', async () => {
    const { answers } = await survive('/stop', { moment: 'after', command: 'inbox.receive' })
    expect(answers).toEqual(['Nothing is running.', 'answer to and then'])
  })

  it('when a message was routed behind a command, it is answered once and without a mark', async () => {
    const { answers } = await survive(['/stop', 'question'], { moment: 'after', command: 'session.route' })
    expect(answers.filter((text) => !text.includes('Nothing is running.'))).toEqual(['answer to question', 'answer to and then'])
  })

  it('when the intent of a tool was stored, the tool is not run again, and the person is told', async () => {
    const survived = await survive('write', { moment: 'after', command: 'turn.commit', containing: '"kind":"intent"' })
    expect(survived.effects).toEqual([])
    expect(survived.answers).toHaveLength(2)
    expect(survived.answers[0]).toContain('did not run it again')
  })

  it('when the intent of a read-only tool was stored, it is run and the answer comes', async () => {
    const survived = await survive('look', { moment: 'after', command: 'turn.commit', containing: '"kind":"intent"' })
    expect(survived).toEqual({ answers: ['answer to look', 'answer to and then'], effects: ['look'] })
  })

  it('when the result of a tool was stored, the tool is not run again, and the answer comes', async () => {
    const survived = await survive('write', { moment: 'after', command: 'turn.commit', containing: '"role":"tool"' })
    expect(survived).toEqual({ answers: ['answer to write', 'answer to and then'], effects: ['write'] })
  })

  it('when the turn had ended and its piece was marked as attempting, the piece comes once, marked', async () => {
    const { answers } = await survive('question', { moment: 'after', command: 'turn.end' })
    expect(answers).toHaveLength(2)
    expect(answers[0]).toContain(mark)
    expect(answers[0]).toContain('answer to question')
  })

  it('when a turn had ended behind a send that hangs, its piece comes once and without a mark', async () => {
    const { chat, answers } = await surviveBehindSend({ moment: 'after', command: 'turn.end', nth: 2 }, async () => {})
    expect(telegram.answers(chat)).toHaveLength(5)
    expect(answers.filter((text) => text.includes('answer to two'))).toEqual(['answer to two'])
  })

  it('when a piece that had waited was marked as attempting, it comes once, marked', async () => {
    const { answers } = await surviveBehindSend({ moment: 'after', command: 'outbox.attempt' }, async (slow) => {
      // An answer elsewhere takes more steps of the store, one after the other, than the end of the second turn.
      const elsewhere = telegram.addPrivateChat()
      telegram.say(elsewhere, 'hello')
      await telegram.waitFor(() => telegram.answers(elsewhere).length === 1)
      slow.release()
    })
    const two = answers.filter((text) => text.includes('answer to two'))
    expect(two).toHaveLength(1)
    expect(two[0]).toContain(mark)
  })

  it('when the receipt of the send was stored, nothing is repeated', async () => {
    const { answers } = await survive('question', { moment: 'after', command: 'outbox.settle' })
    expect(answers).toEqual(['answer to question', 'answer to and then'])
  })

  it('when the send was accepted and its answer had not come, the repeat is marked', async () => {
    const chat = await talkOnce()
    const doomed = startBot()
    const slow = telegram.faults.add({ kind: 'slow', method: 'sendMessage' })
    telegram.say(chat, 'question')
    await telegram.waitFor(() => telegram.answers(chat).includes('answer to question'))
    await doomed.kill()
    slow.release()
    startBot()
    telegram.say(chat, 'and then')
    await telegram.waitFor(() => telegram.answers(chat).includes('answer to and then'), { timeoutMs: 30_000 })
    const [, first, repeated, last] = telegram.answers(chat)
    expect([first, last]).toEqual(['answer to question', 'answer to and then'])
    expect(repeated).toContain(mark)
    expect(telegram.answers(chat)).toHaveLength(4)
  })
})

describe('while the bot is away', () => {
  it('what was written behind a first boot that was cut off is answered', async () => {
    const doomed = startBot({ moment: 'after', command: 'account.remember' })
    expect(await doomed.ended()).toBe('SIGKILL')
    const chat = telegram.addPrivateChat()
    telegram.say(chat, 'question')
    startBot()
    await telegram.waitFor(() => telegram.answers(chat).length >= 1, { timeoutMs: 30_000 })
    expect(telegram.answers(chat)).toEqual(['answer to question'])
  })

  it('20 messages wait and are answered in order, once', async () => {
    const chat = await talkOnce()
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`)
    for (const text of texts) telegram.say(chat, text)
    startBot()
    await telegram.waitFor(() => telegram.answers(chat).length >= 21, { timeoutMs: 30_000 })
    expect(telegram.answers(chat).slice(1)).toEqual(texts.map((text) => `answer to ${text}`))
  })
})
