import type { Chat, Message } from '@grammyjs/types'

/** A counter of message ids. Private chats and small groups of a bot share one; a supergroup has its own. */
export interface MessageNumbers {
  next(): number
}

/** Numbers from `first` on. */
export function countFrom(first: number): MessageNumbers {
  let last = first - 1
  return { next: () => (last += 1) }
}

/** One chat with what is said in it. */
export class ChatRoom {
  readonly chat: Chat
  readonly #numbers: MessageNumbers
  readonly #messages = new Map<number, Message>()
  readonly #topics = new Set<number>()
  /** The supergroup that this group became. */
  movedTo: number | undefined

  constructor(chat: Chat, numbers: MessageNumbers) {
    this.chat = chat
    this.#numbers = numbers
  }

  /** Everything that is shown now, in the order in which it appeared. */
  get messages(): readonly Message[] {
    return [...this.#messages.values()]
  }

  /** The message as it is now; `undefined` when it never was or is deleted. */
  find(messageId: number | undefined): Message | undefined {
    return messageId === undefined ? undefined : this.#messages.get(messageId)
  }

  /** Shows a new message under the next id. */
  add(message: Omit<Message, 'message_id' | 'chat'>): Message {
    const shown = { ...message, message_id: this.#numbers.next(), chat: this.chat } as Message
    this.#messages.set(shown.message_id, shown)
    return shown
  }

  /** Changes a message in its place. */
  replace(message: Message): void {
    this.#messages.set(message.message_id, message)
  }

  /** Takes a message away; false when it is not there. */
  remove(messageId: number): boolean {
    return this.#messages.delete(messageId)
  }

  /** Opens a topic of a forum, and gives its thread id. */
  addTopic(): number {
    const threadId = this.#numbers.next()
    this.#topics.add(threadId)
    return threadId
  }

  /** Whether a message may go to this thread. */
  hasThread(threadId: number): boolean {
    return this.#topics.has(threadId)
  }
}
