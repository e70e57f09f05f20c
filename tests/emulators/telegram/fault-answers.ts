import { badRequest, refusals, refused } from './api-reply.js'
import type { ApiReply } from './api-reply.js'
import type { Fault } from './faults.js'

/** What goes over the wire: an answer, some other body, a file, a reset, or nothing until the client leaves. */
export type WireAnswer = ApiReply | { garbage: string } | { bytes: Uint8Array } | 'cut' | 'silence'

const statusTexts: Readonly<Record<number, string>> = {
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** What a fault answers in the call's place; `undefined` when the call does its work all the same. */
export function answerBefore(fault: Fault, method: string): WireAnswer | undefined {
  switch (fault.kind) {
    case 'rate-limit':
      return refused(429, `Too Many Requests: retry after ${fault.retryAfterSeconds}`, { retry_after: fault.retryAfterSeconds })
    case 'conflict':
      return refusals.otherPoll
    case 'bad-token':
      return refusals.unauthorized
    case 'bad-format':
      return badRequest("can't parse entities: entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol")
    case 'too-long':
      return refusals.tooLong
    case 'chat-gone':
      return refusals.chatGone
    case 'thread-gone':
      return refusals.threadGone
    case 'message-gone':
      return messageGone(method)
    case 'forbidden':
      return refusals.blocked
    case 'migrate':
      return refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: fault.toChatId })
    case 'error-before':
      return serverError(fault.status)
    case 'drop-before':
      return 'cut'
    case 'hang':
      return 'silence'
    case 'error-after':
    case 'garbage':
    case 'drop-after':
    case 'slow':
      return undefined
  }
}

/** What the client gets of a call that has done its work and was answered with `reply`. */
export function answerAfter(fault: Fault, reply: ApiReply): WireAnswer {
  if (fault.kind === 'error-after') return serverError(fault.status)
  if (fault.kind === 'garbage') return { garbage: fault.body ?? '<html><body>It works!</body></html>' }
  return fault.kind === 'drop-after' ? 'cut' : reply
}

function serverError(status = 502): ApiReply {
  return refused(status, statusTexts[status] ?? 'Internal Server Error')
}

function messageGone(method: string): ApiReply {
  if (method.startsWith('edit')) return refusals.editGone
  return method.startsWith('delete') ? refusals.deleteGone : refusals.replyGone
}
