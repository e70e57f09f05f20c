import type { InboundMessage, MessageId, TurnId, UserMessage } from '@hermes/plugin-sdk'
import type { InboxRecord } from '../store/index.js'

/** What a person wrote, as the transcript holds it. Its id follows from the row, so that it is added once over all lives of a turn. */
export function toUserMessage(row: InboxRecord, turn: TurnId): UserMessage {
  const event = row.event as InboundMessage
  return { id: messageIdOf(row), turn, at: row.receivedAt, role: 'user', origin: 'person', parts: [{ type: 'text', text: textFor(event) }] }
}

/** Several people write in a shared chat: the model must know who speaks. */
function textFor(event: InboundMessage): string {
  if (event.chat.kind === 'dm' || event.author.name === undefined) return event.text
  return `[${event.author.name.replace(/[[\]\r\n]/g, ' ').trim()}] ${event.text}`
}

/** The id of the message that a row becomes. */
export function messageIdOf(row: InboxRecord): MessageId {
  return `inbox_${row.seq}` as MessageId
}
