import type { Author, ChatAddress } from './addresses.js'

interface Inbound {
  /**
   * Names the happening, not its delivery, and is unique for one bot account: a second delivery of the same happening has
   * the same id and is dropped. Where none can be built it is random: such an event is never dropped.
   */
  readonly id: string
  /** Time of the platform, milliseconds since the epoch. */
  readonly at: number
  readonly chat: ChatAddress
}

/** Somebody wrote something. A typed `/x` is a message, too. */
export interface InboundMessage extends Inbound {
  readonly kind: 'message'
  readonly messageId: string
  readonly author: Author
  /** Our own mention is taken out; what has no text form (a place, a poll) is one bracketed line. */
  readonly text: string
  /** `us`: the message speaks to this bot, by name or as an answer to it. */
  readonly mentions: 'us' | 'others' | 'none'
}

/** Somebody changed a message; `text` is the new text, whole. */
export interface InboundEdit extends Inbound {
  readonly kind: 'edit'
  readonly messageId: string
  readonly author: Author
  readonly text: string
}

/** What a platform tells the core. */
export type InboundEvent = InboundMessage | InboundEdit

/** How `receive` ended. In all three cases the adapter acknowledges the event to its platform. */
export type Receipt = 'stored' | 'duplicate' | 'ignored'
