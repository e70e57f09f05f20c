import { splitText, type ChatCapabilities, type OutboundMessage, type RoutedChat } from '@hermes/plugin-sdk'
import type { NewOutboxRecord, OutboxRecord } from '../store/index.js'

/** How long a message may be, and how the platform counts. */
export type TextSize = Pick<ChatCapabilities['text'], 'limit' | 'unit'>

/** The size for a chat. A limit that is none is not obeyed: the platform says so itself when a text is too long for it. */
export function sizeOf({ text }: ChatCapabilities): TextSize {
  return { limit: text.limit >= 1 ? text.limit : Infinity, unit: text.unit }
}

/** What all pieces of one text have in common. */
export interface PieceFrame extends Pick<NewOutboxRecord, 'chat' | 'turn' | 'lane' | 'dueAt'> {
  readonly attempts?: number | undefined
  /** Makes the key of each piece. */
  readonly newKey: () => string
}

/** Splits a message into rows for the outbox. Only the first piece answers the message that the whole answers. */
export function composePieces(message: OutboundMessage, size: TextSize, frame: PieceFrame): NewOutboxRecord[] {
  const { newKey, ...common } = frame
  const texts = splitText(message.text, size)
  return texts.map((text, index) => ({
    ...common,
    key: newKey(),
    message: { text, format: message.format, replyTo: index === 0 ? message.replyTo : undefined },
    piece: { index, count: texts.length },
    state: 'pending',
  }))
}

/** Splits a piece into smaller ones that take its place; what may have been seen of it may have been seen of each of them. */
export function splitPiece(row: OutboxRecord, size: TextSize, frame: { readonly dueAt: number; readonly newKey: () => string }): NewOutboxRecord[] {
  const { chat, turn, lane, attempts } = row
  return composePieces(row.message, size, { chat, turn, lane, attempts, ...frame })
}

/** The parent of a thread; `undefined` for a chat that is no thread. */
export function parentChatOf(chat: RoutedChat): RoutedChat | undefined {
  if (chat.threadId === undefined) return undefined
  const { threadId: _, ...parent } = chat
  return parent
}
