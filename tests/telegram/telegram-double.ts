import type { ChatAddress } from '@hermes/plugin-sdk'
import type { AdapterUnderTest, DoubledOperation, FaultKind, PlatformDouble, ShownText } from '@hermes/plugin-sdk/conformance'
import type { Bot } from 'grammy'
import { startTelegramEmulator, type Fault, type TelegramEmulator } from 'hermes-tests/emulators'
import { adapterMaker, optionsFor } from './adapter-rig.js'

type Chat = ReturnType<TelegramEmulator['addPrivateChat']>

const token = '7000001:planted-token'
const methods = { connect: 'getMe', receive: 'getUpdates', send: 'sendMessage' } as const

/** Telegram for the suite of adapters. */
export async function startTelegram(): Promise<AdapterUnderTest> {
  const emulator = await startTelegramEmulator({ token })
  const create = await adapterMaker(optionsFor(emulator))
  return { double: new TelegramDouble(emulator), secrets: [token, 'planted-token'], create }
}

class TelegramDouble implements PlatformDouble {
  readonly chats: { readonly dm: ChatAddress; readonly group: ChatAddress }
  readonly #emulator: TelegramEmulator
  readonly #chats: ReadonlyMap<string, Chat>
  readonly #said = new Map<string, { readonly chat: Chat; readonly updateId: number }>()

  constructor(emulator: TelegramEmulator) {
    const [dm, group] = [emulator.addPrivateChat(), emulator.addGroup()]
    this.#emulator = emulator
    this.#chats = new Map([dm, group].map((chat) => [String(chat.id), chat]))
    this.chats = {
      dm: { platform: 'telegram', kind: 'dm', chatId: String(dm.id) },
      group: { platform: 'telegram', kind: 'group', chatId: String(group.id) },
    }
  }

  say(address: ChatAddress, text: string): string {
    const chat = this.#chat(address)
    const update = this.#emulator.say(chat, text)
    const id = String(update.message?.message_id)
    this.#said.set(id, { chat, updateId: update.update_id })
    return id
  }

  share(address: ChatAddress, bytes: Uint8Array): void {
    this.#emulator.share(this.#chat(address), { document: this.#emulator.addFile(bytes) })
  }

  menu(): { readonly names: readonly string[]; readonly changes: number } {
    const names = this.#emulator.commands().map(({ command }) => command)
    return { names, changes: this.#emulator.ledger.of('setMyCommands').length }
  }

  edit(id: string, text: string): void {
    this.#emulator.edit(this.#sayingOf(id).chat, Number(id), text)
  }

  react(id: string, emoji: string): void {
    this.#emulator.react(this.#sayingOf(id).chat, Number(id), [emoji])
  }

  isAcknowledged(id: string): boolean {
    return this.#emulator.updates.isConfirmed(this.#sayingOf(id).updateId)
  }

  shown(address: ChatAddress): readonly ShownText[] {
    const shown = this.#emulator.shown(this.#chat(address))
    return shown.flatMap(({ id, isBot, text }) => (isBot ? [{ id: String(id), text }] : []))
  }

  async fault(operation: DoubledOperation, kind: FaultKind, { retryAfterMs = 0 } = {}): Promise<void> {
    if (kind === 'refuse-connection') return this.#emulator.goOffline()
    const fault: Fault = kind === 'rate-limit' ? { kind, retryAfterSeconds: retryAfterMs / 1000 } : { kind }
    this.#emulator.faults.add({ ...fault, method: methods[operation] })
  }

  spoil(native: unknown): void {
    ;(native as Bot).use(() => {
      throw new Error('planted')
    })
  }

  cut(): void {
    this.#emulator.cut()
  }

  freeze(): void {
    this.#emulator.faults.add({ kind: 'hang', times: Infinity })
  }

  stop(): Promise<void> {
    return this.#emulator.stop()
  }

  #chat({ chatId }: ChatAddress): Chat {
    const chat = this.#chats.get(chatId)
    if (!chat) throw new Error(`chat ${chatId} is not of this double`)
    return chat
  }

  #sayingOf(id: string): { readonly chat: Chat; readonly updateId: number } {
    const saying = this.#said.get(id)
    if (!saying) throw new Error(`nobody said message ${id}`)
    return saying
  }
}
