import type { Adapter } from '@hermes/plugin-sdk'
import { startTelegramEmulator, type TelegramEmulator } from 'hermes-tests/emulators'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAdapter, optionsFor, ScriptedHost, unhurried } from './adapter-rig.js'

let emulator: TelegramEmulator
let host: ScriptedHost
let adapter: Adapter<'telegram'>

beforeEach(async () => {
  emulator = await startTelegramEmulator({ token: '7000001:planted-token' })
  host = new ScriptedHost()
  adapter = await createAdapter(optionsFor(emulator))
  await adapter.connect(host.context())
})

afterEach(async () => {
  await adapter.disconnect(AbortSignal.abort())
  await emulator.stop()
})

const menu = [
  { name: 'new', description: 'Begin a new conversation' },
  { name: 'find', description: '', argumentHint: '[text]' },
]
const shown = [
  { command: 'new', description: 'Begin a new conversation' },
  { command: 'find', description: 'find' },
]
const publish = (commands = menu) => adapter.publishCommands?.(commands, unhurried())

test('the menu is set for everybody, for private chats and for groups', async () => {
  await publish()
  for (const scope of ['default', 'all_private_chats', 'all_group_chats'] as const) expect(emulator.commands(scope)).toEqual(shown)
})

test('an unchanged menu is not set again, also not by a new connection; a changed one is', async () => {
  await publish()
  await publish()
  await adapter.disconnect(unhurried())
  adapter = await createAdapter(optionsFor(emulator))
  await adapter.connect(host.context({ isReconnect: true }))
  await publish()
  expect(emulator.ledger.of('setMyCommands')).toHaveLength(3)
  await publish(menu.slice(0, 1))
  expect(emulator.ledger.of('setMyCommands')).toHaveLength(6)
  expect(emulator.commands()).toEqual(shown.slice(0, 1))
})

test('a scope that fails keeps no other from being set, and is tried again alone', async () => {
  emulator.faults.add({ kind: 'error-before', method: 'setMyCommands' })
  await expect(publish()).rejects.toThrow(/default: .*502/)
  expect(emulator.commands()).toEqual([])
  expect(emulator.commands('all_private_chats')).toEqual(shown)
  await publish()
  expect(emulator.commands()).toEqual(shown)
  expect(emulator.ledger.accepted('setMyCommands')).toHaveLength(3)
})

test.each([
  [undefined, 60],
  [0, 1],
  [500, 100],
])('the option commandMenuLimit %j makes a menu of at most %d', async (commandMenuLimit, limit) => {
  const { commandMenu } = await createAdapter({ ...optionsFor(emulator), ...(commandMenuLimit !== undefined && { commandMenuLimit }) })
  expect(commandMenu).toEqual({ limit, descriptionLimit: 40, takesArguments: false })
})
