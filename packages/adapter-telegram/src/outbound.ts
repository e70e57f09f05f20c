import type { Call, ChatAddress, OutboundMessage, RejectedOutcome, RejectReason, SendOutcome } from '@hermes/plugin-sdk'
import type { Api } from 'grammy'
import { toNativeId, toNativeTarget } from './addresses.js'
import type { FormattedText } from './entity-writer.js'
import { toSendOutcome } from './failures.js'
import { replaceLoneSurrogates } from './json-reading.js'
import { toGrammySignal } from './grammy-signal.js'
import { isPlainProse } from './plain-prose.js'

/** The longest text of one message, UTF-16 units, counted after rendering. */
export const textLimit = 4096

/** Beyond it Markdown is refused unrendered, so that no text keeps the process busy for long. Formatting rarely takes most of a text. */
const sourceLimit = 4 * textLimit

type SendRequest = Parameters<Api['raw']['sendMessage']>[0]

/** Sends one message by one call: no repeats, one outcome. What Telegram would certainly refuse is refused without a call. */
export async function sendMessage(
  api: Api,
  send: { readonly chat: ChatAddress; readonly message: OutboundMessage; readonly call: Call },
): Promise<SendOutcome> {
  const request = await toRequest(send.chat, send.message)
  if ('status' in request) return request
  if (send.call.signal.aborted) return rejected('unavailable', 'the send was stopped before it began')
  try {
    const sent: { readonly message_id?: unknown } | undefined = await api.raw.sendMessage(request, toGrammySignal(send.call.signal))
    if (Number.isSafeInteger(sent?.message_id)) return { status: 'sent', ids: [String(sent?.message_id)] }
    return { status: 'unknown', detail: 'Telegram accepted the message without telling its id' }
  } catch (error) {
    return toSendOutcome(error)
  }
}

async function toRequest(chat: ChatAddress, message: OutboundMessage): Promise<SendRequest | RejectedOutcome> {
  const target = toNativeTarget(chat)
  if (!target)
    return rejected('invalid', `chat ${JSON.stringify(chat.chatId)} with thread ${JSON.stringify(chat.threadId)} is no address of Telegram`)
  if (message.text.length > sourceLimit) return rejected('too-long', `the text has ${message.text.length} UTF-16 units, Telegram takes ${textLimit}`)
  const { text, entities } = await render(message)
  if (text.trim() === '') return rejected('invalid', 'the message has no text that Telegram could show')
  if (text.length > textLimit) return rejected('too-long', `the rendered text has ${text.length} UTF-16 units, Telegram takes ${textLimit}`)
  const replyTo = message.replyTo === undefined ? undefined : toNativeId(message.replyTo)
  if (message.replyTo !== undefined && replyTo === undefined) return rejected('message-gone', 'the message to answer is none of Telegram')
  return {
    ...target,
    text,
    link_preview_options: { is_disabled: true },
    ...(entities.length > 0 && { entities: [...entities] }),
    ...(replyTo !== undefined && { reply_parameters: { message_id: replyTo, allow_sending_without_reply: false } }),
  }
}

/** The parser is large, and most chats have words to say before they have markup: it is loaded with the first markup. */
async function render({ text, format }: OutboundMessage): Promise<FormattedText> {
  if (format === 'plain' || isPlainProse(text)) return { text: replaceLoneSurrogates(text), entities: [] }
  const { renderMarkdown } = await import('./format.js')
  return renderMarkdown(text)
}

function rejected(reason: RejectReason, detail: string): RejectedOutcome {
  return { status: 'rejected', reason, detail }
}
