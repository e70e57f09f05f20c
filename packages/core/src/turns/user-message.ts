import type { InboundMessage, MediaPart, MessageId, TextPart, TurnId, UserMessage } from '@hermes/plugin-sdk'
import { injectedText, type LaneRecord } from '../store/index.js'

/** How much of an answered message is quoted, UTF-16 units: enough to know which one, seldom less than all. */
const quoteLimit = 2000

/** What stands in a message for a file that came along: the file, or a line that says why it is not there. */
export type FilePart = MediaPart | TextPart

/**
 * What a person wrote, a plugin injected or a run asks, as the transcript holds it: reference material, the words, the files. Its id follows from
 * the row, so that it is added once over all lives of a turn.
 */
export function toUserMessage(row: LaneRecord, turn: TurnId, files: readonly FilePart[] = []): UserMessage {
  const { text, origin } = wordsOf(row)
  const parts = [...(text === '' && files.length > 0 ? [] : [{ type: 'text', text } as const]), ...files]
  return { id: messageIdOf(row), turn, at: row.receivedAt, role: 'user', origin, parts }
}

/** Who asks for a run speaks as a person. */
function wordsOf(row: LaneRecord): { readonly text: string; readonly origin: UserMessage['origin'] } {
  if ('run' in row) return { text: row.run.input, origin: 'person' }
  const injected = injectedText(row.event)
  return injected === undefined ? { text: textFor(row.event as InboundMessage), origin: 'person' } : { text: injected, origin: 'event' }
}

function textFor(event: InboundMessage): string {
  const { context = [], replyTo } = event
  const references = context.map((text) => quote('Said before', text))
  if (replyTo?.text) references.push(quote(`In answer to ${replyTo.author?.name ?? 'this'}`, replyTo.text))
  return [...references, spokenText(event)].join('\n\n')
}

/** Several people write in a shared chat: the model must know who speaks. */
function spokenText({ author, chat, text }: InboundMessage): string {
  return chat.kind === 'dm' || author.name === undefined ? text : `[${toLabel(author.name)}] ${text}`
}

function quote(label: string, text: string): string {
  const shown = text.length > quoteLimit ? `${text.slice(0, quoteLimit)}…` : text
  return `[${toLabel(label)}:]\n${shown.replaceAll(/^/gm, '> ')}`
}

/** Nobody's name may look like the end of the label. */
function toLabel(text: string): string {
  return text.replace(/[[\]\r\n]/g, ' ').trim()
}

/** The id of the message that a row becomes. */
export function messageIdOf(row: LaneRecord): MessageId {
  return `inbox_${row.seq}` as MessageId
}
