import { afterEach, describe, expect, it } from 'vitest'
import { startOpenAiEmulator, startTelegramEmulator } from '../emulators/index.js'
import { ExampleRun } from './run-example.js'

const cleanups: (() => PromiseLike<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp()
})

async function startDemo(variables: Readonly<Record<string, string>> = {}): Promise<ExampleRun> {
  const run = await ExampleRun.start('terminal', variables)
  cleanups.push(() => run[Symbol.asyncDispose]())
  return run
}

async function openTelegram() {
  const telegram = await startTelegramEmulator()
  cleanups.push(() => telegram.stop())
  return telegram
}

describe('the demo without a terminal', () => {
  it('plays a conversation with a tool, a restart and a new session, prints it and exits with 0', async () => {
    const demo = await startDemo()
    expect(await demo.exited()).toBe(0)
    const conversation = demo.output.split('\n').filter((line) => /^(?:Ada|hermes|\s+\()/.test(line))
    expect(conversation.map((line) => line.slice(0, 40))).toEqual([
      'hermes demo without a terminal: a conver',
      'Ada: Hello!',
      'hermes: Hello! I am a small offline mode',
      'Ada: What is 19 + 23?',
      'hermes: That makes 42.',
      'Ada: /status',
      expect.stringMatching(/^hermes: Conversation: \d+ messages/),
      '  (the gateway restarts)',
      'Ada: What did I say first?',
      'hermes: The first thing you said was “He',
      'Ada: /new',
      'hermes: ✨ New conversation.',
      'Ada: What did I say first?',
      'hermes: This is the first thing you say ',
    ])
  })

  it('plays it with a real model where one is given, and shows its key to nobody', async () => {
    const model = await startOpenAiEmulator({ apiKey: 'sk-planted-key' })
    cleanups.push(() => model.stop())
    model.script(
      { text: ['Good ', 'day.'] },
      { toolCalls: [{ name: 'add', input: { left: 19, right: 23 } }] },
      { text: 'Forty-two.' },
      { text: 'A greeting.' },
      { text: 'Nothing yet.' },
    )
    const demo = await startDemo({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: model.apiKey, OPENAI_MODEL: 'tiny' })
    expect(await demo.exited()).toBe(0)
    for (const answer of ['the model tiny', 'hermes: Good day.', 'hermes: Forty-two.', 'hermes: A greeting.', 'hermes: Nothing yet.'])
      expect(demo.output).toContain(answer)
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({ role: 'tool', content: '42' })
    expect(demo.output).not.toContain('planted')
  })
})

describe('the demo with a bot token', () => {
  it('serves Telegram to those who are allowed until it is interrupted', async () => {
    const telegram = await openTelegram()
    const [ada, eve] = [telegram.addUser(), telegram.addUser()]
    const demo = await startDemo({ TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.url, HERMES_ALLOW_FROM: `5, ${ada.id}` })
    await telegram.waitFor(() => telegram.updates.isPolled)
    const [hers, foreign] = [telegram.addPrivateChat(ada), telegram.addPrivateChat(eve)]
    const ignored = telegram.say(foreign, 'let me in')
    telegram.say(hers, 'what is 2 + 3?')
    expect(await telegram.waitFor(() => telegram.answers(hers)[0])).toBe('That makes 5.')
    await telegram.waitFor(() => telegram.updates.isConfirmed(ignored.update_id))
    expect(telegram.answers(foreign)).toEqual([])
    expect(await demo.interrupt()).toBe(0)
    expect(demo.output).toContain(`It answers 5, ${ada.id}.`)
    expect(demo.output).not.toContain(telegram.token)
  })

  it('says that it is closed while nobody is allowed', async () => {
    const telegram = await openTelegram()
    const demo = await startDemo({ TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.url })
    await demo.printed('It answers nobody yet: set HERMES_ALLOW_FROM')
    expect(await demo.interrupt()).toBe(0)
  })

  it('ends with 1 and says why when Telegram refuses the token, without showing it', async () => {
    const telegram = await openTelegram()
    const demo = await startDemo({ TELEGRAM_BOT_TOKEN: '7000001:planted-token', TELEGRAM_API_ROOT: telegram.url })
    expect(await demo.exited()).toBe(1)
    expect(demo.output).toContain('Telegram cannot be served: ')
    expect(demo.output).not.toContain('planted')
  })
})

describe('the demo in a wrong environment', () => {
  it('says everything that is missing for a real model', async () => {
    const demo = await startDemo({ OPENAI_BASE_URL: 'api.openai.com' })
    expect(await demo.exited()).toBe(1)
    expect(demo.output).toMatch(/OPENAI_BASE_URL must be a URL.*\n.*OPENAI_API_KEY is missing.*\n.*OPENAI_MODEL is missing/)
  })

  it('says how to get a bot token when the one given is none', async () => {
    const demo = await startDemo({ TELEGRAM_BOT_TOKEN: 'my-bot' })
    expect(await demo.exited()).toBe(1)
    expect(demo.output).toMatch(/token.*BotFather/)
  })
})
