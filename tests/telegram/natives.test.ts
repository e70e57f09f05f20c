import type { Adapter } from '@hermes/plugin-sdk'
import type { Bot } from 'grammy'
import { startTelegramEmulator, type TelegramEmulator } from 'hermes-tests/emulators'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAdapter, optionsFor, ScriptedHost } from './adapter-rig.js'

let emulator: TelegramEmulator
let host: ScriptedHost
let adapter: Adapter<'telegram'> | undefined

beforeEach(async () => {
  emulator = await startTelegramEmulator()
  host = new ScriptedHost()
})

afterEach(async () => {
  await adapter?.disconnect(AbortSignal.abort())
  await emulator.stop()
})

/** Throws anything, as JavaScript lets plugins do. */
function fail(thrown: unknown): never {
  throw thrown
}

async function connect(wire: (bot: Bot) => void, more: { moreUpdates?: string[] } = {}): Promise<void> {
  host.wire = wire
  adapter = await createAdapter({ ...optionsFor(emulator), ...more })
  await adapter.connect(host.context({ isReconnect: true }))
}

async function say(text: string): Promise<void> {
  const chat = emulator.addPrivateChat()
  const { update_id: updateId } = emulator.say(chat, text)
  await emulator.waitFor(() => emulator.updates.isConfirmed(updateId))
}

// plugins 18
test('a bot is handed to plugins before the first update is asked for', async () => {
  let polls: number | undefined
  await connect(() => (polls = emulator.ledger.of('getUpdates').length))
  await emulator.waitFor(() => emulator.updates.isPolled)
  expect(polls).toBe(0)
})

// plugins 23
test.each([
  ['throws', () => fail(new Error('planted'))],
  ['throws null', () => fail(null)],
  ['rejects', () => Promise.reject(new Error('planted'))],
  ['never ends', () => new Promise<void>(() => {})],
])('a handler that %s takes no message away', async (_what, handler) => {
  await connect((bot) => bot.on('message', handler))
  await say('one')
  await say('two')
  expect(host.texts).toEqual(['one', 'two'])
  expect(host.failures).toEqual([])
})

test('a handler of a plugin works with the message after the core has it, and may call the platform', async () => {
  const seen: string[] = []
  await connect((bot) =>
    bot.on('message:text', async (context) => {
      seen.push(`${context.msg.text} after ${host.texts.join()}`)
      await context.reply('heard')
    }),
  )
  await say('hello')
  await emulator.waitFor(() => emulator.ledger.of('sendMessage').length === 1)
  expect(seen).toEqual(['hello after hello'])
})

test('handlers that hang are left alone when there are a hundred of them, and the messages still arrive', async () => {
  let begun = 0
  await connect((bot) =>
    bot.on('message', () => {
      begun++
      return new Promise<void>(() => {})
    }),
  )
  const chat = emulator.addPrivateChat()
  const updates = Array.from({ length: 120 }, (_, index) => emulator.say(chat, `message ${index}`))
  await emulator.waitFor(() => emulator.updates.isConfirmed(updates.at(-1)?.update_id ?? 0))
  expect(host.texts).toHaveLength(120)
  expect(begun).toBe(100)
  expect(host.log.filter((line) => line.includes('do not end'))).toHaveLength(1)
})

test('kinds of updates that plugins want are asked for besides our own', async () => {
  await connect(() => {}, { moreUpdates: ['inline_query'] })
  await emulator.waitFor(() => emulator.updates.isPolled)
  const request = emulator.ledger.of('getUpdates')[0]?.payload as { allowed_updates: string[] }
  expect(request.allowed_updates).toEqual(expect.arrayContaining(['message', 'inline_query']))
})
