import type { Message } from '@grammyjs/types'
import { expect, it } from 'vitest'
import { startTelegramEmulator } from '../emulators/index.js'
import { ExampleRun } from './run-example.js'

it('the embedded engine runs a turn with a tool and shows how it ended', async () => {
  await using run = await ExampleRun.start('embedded-engine')
  expect(await run.exited()).toBe(0)
  expect(run.output).toBe(
    'calls weather({"city":"Bern"})\nIt is sunny in Bern: take your bicycle.\ncompleted after 2 model calls; the conversation has 4 messages\n',
  )
})

it('the echo bot says what was said to it, and ends cleanly', async () => {
  const telegram = await startTelegramEmulator()
  await using run = await ExampleRun.start('echo-telegram', { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.url })
  await telegram.waitFor(() => telegram.updates.isPolled)
  const chat = telegram.addPrivateChat()
  telegram.say(chat, 'hello\nthere')
  expect(await telegram.waitFor(() => telegram.answers(chat)[0])).toBe('hello\nthere')
  expect(await run.interrupt()).toBe(0)
  await telegram.stop()
})

it.each(['own-loop-ai-sdk', 'own-loop-pi'])('%s answers in a chat with what a tool said, turn after turn, and ends cleanly', async (name) => {
  const telegram = await startTelegramEmulator()
  await using run = await ExampleRun.start(name, { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.url })
  await telegram.waitFor(() => telegram.updates.isPolled)
  const chat = telegram.addPrivateChat()
  for (const turn of [0, 1]) {
    telegram.say(chat, 'How is the weather?')
    expect(await telegram.waitFor(() => telegram.answers(chat)[turn])).toBe('It is sunny in Bern.')
  }
  expect(await run.interrupt()).toBe(0)
  await telegram.stop()
})

it('the bot of the plugin to copy keeps what the model notes and what people pin, and shows both', async () => {
  const telegram = await startTelegramEmulator()
  const variables = { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.url }
  await using run = await ExampleRun.start('custom-plugin', variables, 'bot')
  await telegram.waitFor(() => telegram.updates.isPolled)
  const chat = telegram.addPrivateChat()
  const { message } = telegram.say(chat, 'hello')
  expect(await telegram.waitFor(() => telegram.answers(chat)[0])).toBe('The note is kept.')
  telegram.share(chat, { pinned_message: message as Message })
  // The handler of the pin works beside the core: nobody waits for it.
  const notes = async (): Promise<string | undefined> => {
    const answered = telegram.answers(chat).length
    telegram.say(chat, '/notes')
    return telegram.waitFor(() => telegram.answers(chat)[answered])
  }
  await expect.poll(notes).toBe('• Somebody said hello.\n• hello')
  expect(await run.interrupt()).toBe(0)
  await telegram.stop()
})

it('the echo bot without a token says how to get one', async () => {
  await using run = await ExampleRun.start('echo-telegram')
  expect(await run.exited()).not.toBe(0)
  expect(run.output).toContain('@BotFather')
})
