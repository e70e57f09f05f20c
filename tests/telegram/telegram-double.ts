import type { ChatAddress } from '@hermes/plugin-sdk'
import type {
  AdapterUnderTest,
  DoubledOperation,
  FaultKind,
  PersonAct,
  PlatformDouble,
  RequestMaking,
  Saying,
  ShownText,
} from '@hermes/plugin-sdk/conformance'
import type { Bot } from 'grammy'
import { startTelegramEmulator, type Fault, type TelegramEmulator } from 'hermes-tests/emulators'
import { adapterMaker, optionsFor } from './adapter-rig.js'

type Chat = ReturnType<TelegramEmulator['addPrivateChat']>
type Update = ReturnType<TelegramEmulator['say']>
type User = ReturnType<TelegramEmulator['addUser']>

interface Said {
  readonly chat: Chat
  readonly update: Update
}

const token = '7000001:planted-token'
const webhookSecret = 'planted-secret'
const methods = { connect: 'getMe', receive: 'getUpdates', send: 'sendMessage' } as const

/** Telegram for the suite of adapters, by long polling. */
export async function startTelegram(): Promise<AdapterUnderTest> {
  const emulator = await startTelegramEmulator({ token })
  const create = await adapterMaker(optionsFor(emulator))
  return { double: new TelegramDouble(emulator), secrets: [token, 'planted-token'], create }
}

/** Telegram for the suite of adapters, by a webhook. */
export async function startTelegramWebhook(): Promise<AdapterUnderTest> {
  const emulator = await startTelegramEmulator({ token })
  const create = await adapterMaker({ ...optionsFor(emulator), webhook: { url: 'https://bot.test/telegram', secret: webhookSecret } })
  return { double: new TelegramDouble(emulator), secrets: [token, 'planted-token', webhookSecret], create }
}

class TelegramDouble implements PlatformDouble {
  readonly chats: { readonly dm: ChatAddress; readonly group: ChatAddress }
  readonly #emulator: TelegramEmulator
  readonly #chats: ReadonlyMap<string, Chat>
  readonly #said = new Map<string, Said>()
  #nextOfNobody = 900_000
  readonly #people = new Map<string, User>()

  constructor(emulator: TelegramEmulator) {
    const [dm, group] = [emulator.addPrivateChat(), emulator.addGroup()]
    this.#emulator = emulator
    this.#chats = new Map([dm, group].map((chat) => [String(chat.id), chat]))
    this.chats = {
      dm: { platform: 'telegram', kind: 'dm', chatId: String(dm.id) },
      group: { platform: 'telegram', kind: 'group', chatId: String(group.id) },
    }
  }

  say(address: ChatAddress, text: string, more: Saying = {}): string {
    const chat = this.#chat(address)
    const update = more.from === null ? this.#sayAsNobody(chat, text) : this.#say(chat, text, more)
    const id = String(update.message?.message_id)
    this.#said.set(id, { chat, update })
    return id
  }

  menu(): { readonly names: readonly string[]; readonly changes: number } {
    const names = this.#emulator.commands().map(({ command }) => command)
    return { names, changes: this.#emulator.ledger.of('setMyCommands').length }
  }

  act(id: string, act: PersonAct): void {
    const chat = this.#chatOf(id)
    if ('edit' in act) this.#emulator.edit(chat, Number(id), act.edit)
    else if ('press' in act) this.#emulator.press(chat, Number(id), act.press)
    else if ('react' in act) this.#emulator.react(chat, Number(id), [act.react])
    else if ('unreact' in act) this.#emulator.react(chat, Number(id), [])
    else throw new Error('Telegram tells bots of no deletion')
  }

  async redeliver(id: string): Promise<void> {
    const { update } = this.#sayingOf(id)
    await this.#emulator.waitFor(() => this.#emulator.updates.isPolled)
    this.#emulator.post(update)
  }

  isAcknowledged(id: string): boolean {
    return this.#emulator.updates.isConfirmed(this.#sayingOf(id).update.update_id)
  }

  request(address: ChatAddress, text: string, { flaw }: RequestMaking): Request {
    if (flaw === 'altered' || flaw === 'stale' || flaw === 'future') throw new Error('a secret of Telegram is of no body and of no date')
    const update = JSON.stringify(this.#emulator.say(this.#chat(address), text))
    const body = flaw === 'malformed' ? update.slice(0, -10) : update
    const secret = { 'x-telegram-bot-api-secret-token': flaw === 'forged' ? 'another-secret' : webhookSecret }
    const headers = { 'content-type': 'application/json', ...(flaw !== 'unsigned' && secret) }
    return new Request('https://bot.test/telegram', { method: 'POST', headers, body })
  }

  shown(address: ChatAddress): readonly ShownText[] {
    const shown = this.#emulator.shown(this.#chat(address))
    return shown.flatMap(({ id, isBot, text, linkPreview }) => {
      const previews = linkPreview?.is_disabled ? [] : (text.match(/https?:\/\/\S+/g) ?? [])
      return isBot ? [{ id: String(id), text, previews }] : []
    })
  }

  async fault(operation: DoubledOperation, kind: FaultKind, { retryAfterMs = 0 } = {}): Promise<void> {
    if (kind === 'refuse-connection') return this.#emulator.goOffline()
    const fault: Fault = kind === 'rate-limit' ? { kind, retryAfterSeconds: retryAfterMs / 1000 } : { kind }
    this.#emulator.faults.add({ ...fault, method: methods[operation] })
  }

  spoil(native: unknown, defect: 'throws' | 'hangs'): void {
    ;(native as Bot).use(() => {
      if (defect === 'throws') throw new Error('planted')
      return new Promise(() => {})
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

  #say(chat: Chat, text: string, { from, file, album, mentionsUs }: Saying): Update {
    const emulator = this.#emulator
    const speaker = { from: typeof from === 'string' ? this.#person(from) : undefined }
    if (file) {
      const caption = text === '' ? {} : { caption: text }
      const parts = album === undefined ? {} : { media_group_id: album }
      return emulator.share(chat, { document: emulator.addFile(file), ...caption, ...parts }, speaker)
    }
    return emulator.say(chat, mentionsUs ? `@${emulator.me.username} ${text}` : text, speaker)
  }

  /** What an anonymous admin of old says: nothing tells who it was. */
  #sayAsNobody(chat: Chat, text: string): Update {
    return this.#emulator.post({ message: { message_id: this.#nextOfNobody++, date: Math.floor(Date.now() / 1000), chat, text } })
  }

  #person(name: string): User {
    const person = this.#people.get(name) ?? this.#emulator.addUser({ first_name: name })
    this.#people.set(name, person)
    return person
  }

  /** Of a message that a person wrote, or that the bot did. */
  #chatOf(id: string): Chat {
    const shownIn = [...this.#chats.values()].find((chat) => this.#emulator.shown(chat).some((message) => String(message.id) === id))
    if (!shownIn) throw new Error(`there is no message ${id}`)
    return shownIn
  }

  #sayingOf(id: string): Said {
    const saying = this.#said.get(id)
    if (!saying) throw new Error(`nobody said message ${id}`)
    return saying
  }
}
