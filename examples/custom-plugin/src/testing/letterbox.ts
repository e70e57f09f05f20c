import { defineAdapter, type AdapterContext, type Plugin } from '@hermes/plugin-sdk'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { z } from 'zod'

/** A platform of one chat inside this process: whoever tests a plugin writes into it, and reads what comes back. */
export class Letterbox {
  readonly plugin: Plugin
  readonly #mail = new EventEmitter<{ letter: [text: string]; open: [] }>()
  #context: AdapterContext | undefined

  constructor() {
    const letterbox = defineAdapter({
      platform: 'letterbox',
      options: z.object({}),
      create: () => ({
        platform: 'letterbox',
        connect: async (context) => {
          await context.wireNative(this)
          this.#context = context
          this.#mail.emit('open')
        },
        disconnect: async () => {},
        capabilities: () => ({ text: { limit: 4000, unit: 'utf16', dialect: 'plain' } }),
        send: async (_chat, { text }) => {
          this.#mail.emit('letter', text)
          return { status: 'sent', ids: [] }
        },
      }),
    })
    this.plugin = letterbox({ allowAll: true })
  }

  /** Writes, and resolves with the next letter that comes back. */
  async ask(text: string): Promise<string> {
    if (!this.#context) await once(this.#mail, 'open')
    const answer = once(this.#mail, 'letter')
    // Never twice, not even after a restart: what comes under an id that is known is dropped as delivered twice.
    const id = randomUUID()
    const chat = { platform: 'letterbox', kind: 'dm', chatId: '1' } as const
    const author = { id: '1', isBot: false }
    await this.#context?.receive({ kind: 'message', id, at: Date.now(), chat, messageId: id, author, text, mentions: 'us' })
    const [letter] = (await answer) as [string]
    return letter
  }
}
