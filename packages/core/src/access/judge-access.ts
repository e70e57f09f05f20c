import type { InboundEvent, SharedOptions } from '@hermes/plugin-sdk'

/** `bot`: other bots are not answered. `not-listed`: neither person nor chat is allowed. `not-addressed`: it does not speak to us. */
export type AccessRefusal = 'bot' | 'not-listed' | 'not-addressed'

/** May this event start something? */
export type AccessVerdict = { readonly isAllowed: true } | { readonly isAllowed: false; readonly reason: AccessRefusal }

/**
 * The one place where access is judged: by immutable ids alone, closed by default. Ids are compared to the letter, so `0123` and
 * a name never match an id that looks like them.
 */
export function judgeAccess(event: InboundEvent, options: SharedOptions): AccessVerdict {
  if (event.author?.isBot) return refuse('bot')
  if (!isListed(event, options)) return refuse('not-listed')
  if (event.kind === 'message' && !isAddressed(event, options)) return refuse('not-addressed')
  return { isAllowed: true }
}

function isListed(event: InboundEvent, options: SharedOptions): boolean {
  if (options.allowAll === true) return true
  const isPersonListed = event.author !== undefined && (options.allowFrom?.includes(event.author.id) ?? false)
  return isPersonListed || (options.allowChats?.includes(event.chat.chatId) ?? false)
}

function isAddressed(event: Extract<InboundEvent, { kind: 'message' }>, options: SharedOptions): boolean {
  if (event.mentions === 'us' || event.chat.kind === 'dm') return true
  return options.requireMention === false && event.mentions !== 'others'
}

function refuse(reason: AccessRefusal): AccessVerdict {
  return { isAllowed: false, reason }
}
