/** So many chats have notes; of those that come later, the one that was written into longest ago goes. */
const mostChats = 1000

/** The notes of each chat, oldest first. They live as long as the process: keep yours where they survive it. */
export class Notebook {
  readonly #notes = new Map<string, readonly string[]>()
  readonly #perChat: number

  constructor(perChat: number) {
    this.#perChat = perChat
  }

  add(chat: string, note: string): void {
    const notes = [...this.of(chat), note].slice(-this.#perChat)
    // Written anew, so that the order of the map is that of the last writing.
    this.#notes.delete(chat)
    this.#notes.set(chat, notes)
    const [oldest] = this.#notes.keys()
    if (this.#notes.size > mostChats && oldest !== undefined) this.#notes.delete(oldest)
  }

  of(chat: string): readonly string[] {
    return this.#notes.get(chat) ?? []
  }
}
