import type { ApiError, ApiSuccess, ResponseParameters } from '@grammyjs/types'

/** What a method of the Bot API answers; a refusal's `error_code` is also the HTTP status. */
export type ApiReply = ApiSuccess<unknown> | ApiError

/** A success. */
export function accepted(result: unknown): ApiReply {
  return { ok: true, result }
}

/** A refusal in the server's own words. */
export function refused(code: number, description: string, parameters?: ResponseParameters): ApiError {
  return { ok: false, error_code: code, description, ...(parameters && { parameters }) }
}

/** A refusal of the call's content: status 400, described as the real server does. */
export function badRequest(description: string): ApiError {
  return refused(400, `Bad Request: ${description}`)
}

/** The refusals that more than one place needs. */
export const refusals = {
  unauthorized: refused(401, 'Unauthorized'),
  noSuchPath: refused(404, 'Not Found'),
  noSuchMethod: refused(404, 'Not Found: method not found'),
  otherPoll: refused(409, 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running'),
  webhookSet: refused(409, 'Conflict: terminated by setWebhook request'),
  webhookActive: refused(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"),
  chatGone: badRequest('chat not found'),
  threadGone: badRequest('message thread not found'),
  replyGone: badRequest('message to be replied not found'),
  editGone: badRequest('message to edit not found'),
  deleteGone: badRequest('message to delete not found'),
  emptyText: badRequest('message text is empty'),
  tooLong: badRequest('message is too long'),
  notModified: badRequest(
    'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
  ),
  blocked: refused(403, 'Forbidden: bot was blocked by the user'),
} as const
