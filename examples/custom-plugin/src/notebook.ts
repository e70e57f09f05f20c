import type { Collection, PluginStorage } from '@hermes/plugin-sdk'
import { z } from 'zod'

/** The notes of each chat, oldest first, kept as long as the store of the gateway. */
export class Notebook {
  readonly #chats: Collection<string[]>
  readonly #perChat: number

  constructor(storage: PluginStorage, perChat: number) {
    this.#chats = storage.collection('chats', z.array(z.string()))
    this.#perChat = perChat
  }

  async add(chat: string, note: string): Promise<void> {
    for (;;) {
      const stored = await this.#chats.get(chat)
      const value = [...(stored?.value ?? []), note].slice(-this.#perChat)
      // Where somebody else wrote meanwhile, nothing is written, and both notes are kept in the next round.
      if (await this.#chats.put({ key: chat, value, ifVersion: stored?.version ?? 'absent' })) return
    }
  }

  async of(chat: string): Promise<readonly string[]> {
    return (await this.#chats.get(chat))?.value ?? []
  }
}
