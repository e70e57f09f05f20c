import type { RoutedChat } from '@hermes/plugin-sdk'
import { CallSlots } from '../kernel/index.js'
import { chatKeyOf } from './chat-key.js'
import { KeyedLock } from './keyed-lock.js'

/** The calls of one adapter instance: one at a time in each chat, in the order of asking, and so many over all chats. */
export class CallGate {
  readonly #slots: CallSlots
  readonly #lock = new KeyedLock()

  constructor(concurrentCalls: number) {
    this.#slots = new CallSlots(concurrentCalls)
  }

  /** Runs the job in its turn; it resolves or rejects as the job does. */
  pass<T>(chat: RoutedChat, job: () => Promise<T>): Promise<T> {
    return this.#lock.run(chatKeyOf(chat), () => this.#slots.use(job))
  }
}
