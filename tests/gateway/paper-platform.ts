import type {
  Adapter,
  AdapterContext,
  ChatAddress,
  ChatCapabilities,
  InboundMessage,
  OutboundMessage,
  Plugin,
  Receipt,
  SendOutcome,
  SharedOptions,
} from '@hermes/plugin-sdk'
import { definePlugin } from '@hermes/plugin-sdk'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a test wants otherwise than a platform that takes everything at once. */
export interface PaperChange {
  readonly id?: string
  readonly options?: SharedOptions
  readonly connect?: (context: AdapterContext) => Promise<void>
  readonly disconnect?: () => Promise<void>
  readonly capabilities?: (chat: ChatAddress) => ChatCapabilities
  readonly send?: (chat: ChatAddress, message: OutboundMessage) => Promise<SendOutcome>
}

const direct = (chatId: string): ChatAddress => ({ platform: 'paper', kind: 'dm', chatId })

/** A platform without a wire, for what happens between an adapter and its house: thousands of chats, and adapters that misbehave. */
export class PaperPlatform {
  readonly plugin: Plugin
  readonly contexts: AdapterContext[] = []
  readonly #sent: { readonly chat: ChatAddress; readonly text: string }[] = []
  #last = 0

  constructor(change: PaperChange = {}) {
    const { id = 'paper', options = { allowAll: true } } = change
    const create = (): Adapter => this.#adapter(change)
    this.plugin = definePlugin({ id, register: (host) => void host.registerPlatform({ platform: 'paper', options, create }) })
  }

  /** Everything that was shown in a chat, in order. */
  answers(chat: string | ChatAddress): readonly string[] {
    const { chatId, threadId } = typeof chat === 'string' ? direct(chat) : chat
    return this.#sent.filter((shown) => shown.chat.chatId === chatId && shown.chat.threadId === threadId).map((shown) => shown.text)
  }

  get shown(): number {
    return this.#sent.length
  }

  /** Somebody writes; resolves with the receipt. `chat` alone is the id of a direct chat. */
  async say(chat: string | ChatAddress, text: string, change: Partial<InboundMessage> = {}): Promise<Receipt> {
    const context = this.contexts.at(-1)
    if (!context) throw new Error('the platform is not connected')
    return context.receive(this.message(chat, text, change))
  }

  /** The event of a new message. */
  message(chat: string | ChatAddress, text: string, change: Partial<InboundMessage> = {}): InboundMessage {
    const id = String(++this.#last)
    const address = typeof chat === 'string' ? direct(chat) : chat
    const author = { id: address.chatId, isBot: false }
    return { kind: 'message', id, at: Date.now(), chat: address, messageId: id, author, text, mentions: 'us', ...change }
  }

  #adapter(change: PaperChange): Adapter {
    return {
      platform: 'paper',
      account: 'paper-bot',
      connect: async (context) => {
        this.contexts.push(context)
        await context.wireNative(this)
        await change.connect?.(context)
      },
      disconnect: async () => change.disconnect?.(),
      capabilities: (chat) => change.capabilities?.(chat) ?? { text: { limit: 4000, unit: 'utf16', dialect: 'plain' } },
      send: async (chat, message) => {
        const outcome = await change.send?.(chat, message)
        if (outcome && outcome.status !== 'sent') return outcome
        this.#sent.push({ chat, text: message.text })
        return outcome ?? { status: 'sent', ids: [String(this.#sent.length)] }
      },
    }
  }
}

/** Resolves when the condition holds; throws with what it was after ten seconds. */
export async function until(condition: () => boolean, what = String(condition)): Promise<void> {
  for (const end = Date.now() + 10_000; !condition(); await sleep(2)) if (Date.now() > end) throw new Error(`not within ten seconds: ${what}`)
}
