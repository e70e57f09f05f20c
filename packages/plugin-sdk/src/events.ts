import type { Author, ChatAddress } from './addresses.js'
import type { JsonObject } from './json.js'

/** What a file shows or is. A `voice` was recorded for this chat; other sound is `audio`. */
export type MediaKind = 'image' | 'audio' | 'voice' | 'video' | 'document'

/** A file that came along. It is lazy: `ref` is all that `openAttachment` needs to fetch its bytes later, also after a restart. */
export interface Attachment {
  readonly kind: MediaKind
  /** Plain data of the adapter, 4 KB at most. */
  readonly ref: JsonObject
  readonly name?: string | undefined
  /** As the platform says it: `image/jpeg`. */
  readonly mime?: string | undefined
  /** Bytes, as the platform says it. */
  readonly size?: number | undefined
}

interface Inbound {
  /**
   * Names the happening, not its delivery, and is unique for one bot account: a second delivery of the same happening has
   * the same id and is dropped. Where none can be built it is random: such an event is never dropped.
   */
  readonly id: string
  /** Time of the platform, milliseconds since the epoch. */
  readonly at: number
  readonly chat: ChatAddress
  /** How people call the place, now; it may change at any time. */
  readonly names?: { readonly chat?: string | undefined; readonly thread?: string | undefined; readonly topic?: string | undefined } | undefined
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
  readonly attachments?: readonly Attachment[] | undefined
  /** The message that this one answers; `text`: what it said, or the part that was quoted. */
  readonly replyTo?: { readonly messageId: string; readonly text?: string | undefined; readonly author?: Author | undefined } | undefined
  /** What others said before: reference material that never starts a turn. */
  readonly context?: readonly string[] | undefined
  /** Parts of one message (the pictures of an album, a text cut by the client): joined when `quietMs` passed without another one. */
  readonly join?: { readonly key: string; readonly quietMs: number } | undefined
}

/** Somebody changed a message; `text` is the new text, whole. */
export interface InboundEdit extends Inbound {
  readonly kind: 'edit'
  readonly messageId: string
  readonly author: Author
  readonly text: string
}

/** Messages are gone. */
export interface InboundDelete extends Inbound {
  readonly kind: 'delete'
  readonly messageIds: readonly string[]
  /** Who took them away, where the platform says it. */
  readonly author?: Author | undefined
}

/** What the platform itself knows as a command. */
export interface InboundCommand extends Inbound {
  readonly kind: 'command'
  readonly author: Author
  /** Without the slash. */
  readonly name: string
  readonly args: string
}

/** Somebody pressed a button of a prompt; see `decodeChoice`. A button that belongs to no prompt is for native handlers. */
export interface InboundChoice extends Inbound {
  readonly kind: 'choice'
  readonly author: Author
  readonly promptId: string
  readonly optionId: string
  /** The message with the button. */
  readonly messageId?: string | undefined
}

/** Somebody reacted to a message, or took a reaction back. */
export interface InboundReaction extends Inbound {
  readonly kind: 'reaction'
  readonly author: Author
  readonly messageId: string
  /** Unicode, else `:name:`. */
  readonly emoji: string
  readonly isRemoved: boolean
}

/** A fact about the chat itself. */
export interface InboundNotice extends Inbound {
  readonly kind: 'notice'
  /** `chat-moved`: `data.chat` is the new address of `chat`, and its sessions go there. */
  readonly name: 'chat-moved' | 'thread-created' | 'thread-renamed' | 'member-joined' | 'member-left' | (string & {})
  readonly author?: Author | undefined
  /** 16 KB at most. */
  readonly data: JsonObject
}

/** What a platform tells the core. */
export type InboundEvent = InboundMessage | InboundEdit | InboundDelete | InboundCommand | InboundChoice | InboundReaction | InboundNotice

/** How `receive` ended. In all three cases the adapter acknowledges the event to its platform. */
export type Receipt = 'stored' | 'duplicate' | 'ignored'
