import type { Inbox, MessageId, UserMessage } from '@hermes/plugin-sdk'

/** Notes for a running turn. A note that was taken comes back at the end, unless its message was written. */
export class TurnInbox implements Inbox {
  #waiting: UserMessage[] = []
  readonly #taken = new Map<MessageId, UserMessage>()
  #attention = new AbortController()
  #listeners: (() => void)[] = []
  #isClosed = false

  /** Aborted while a note waits. A call that begins gets the signal of its time. */
  get attention(): AbortSignal {
    return this.#attention.signal
  }

  /** `false`: closed, and the note was not taken. */
  leave(note: UserMessage): boolean {
    if (this.#isClosed) return false
    this.#waiting.push(note)
    this.#attention.abort()
    for (const resume of this.#listeners.splice(0)) resume()
    return true
  }

  take(): readonly UserMessage[] {
    const notes = this.#waiting
    if (notes.length === 0) return notes
    this.#waiting = []
    this.#attention = new AbortController()
    for (const note of notes) this.#taken.set(note.id, note)
    return notes
  }

  /** Resolves when a note waits; never, when none comes. */
  arrived(): Promise<void> {
    if (this.#waiting.length > 0) return Promise.resolve()
    return new Promise((resolve) => this.#listeners.push(resolve))
  }

  /** The note of this id, if it was taken and not delivered yet. */
  taken(id: MessageId): UserMessage | undefined {
    return this.#taken.get(id)
  }

  /** Its message is written. */
  delivered(id: MessageId): void {
    this.#taken.delete(id)
  }

  /** No more notes; answers those that were not delivered, oldest first. */
  close(): readonly UserMessage[] {
    this.#isClosed = true
    return [...this.#taken.values(), ...this.#waiting]
  }
}
