import type { Author, ChatAddress, InboundEvent, InboundMessage, SharedOptions } from '@hermes/plugin-sdk'

/** Whatever somebody did in a chat, as far as it is judged. Every event of an adapter is one. */
export interface AccessSubject {
  /** `native`: known to the platform's own object alone. */
  readonly kind: InboundEvent['kind'] | 'native'
  readonly chat: ChatAddress
  readonly author?: Author | undefined
  /** Of a message. */
  readonly mentions?: InboundMessage['mentions'] | undefined
  /** Of a notice or command. */
  readonly name?: string | undefined
}

/** What is known of people beside the options. */
export interface AccessFacts {
  /** Was a request of this person approved? */
  isPaired(userId: string): boolean
}

/**
 * `bot`: other bots are not heard, or only where they mention us. `not-listed`: neither person nor chat is allowed. `unpaired`: nor are
 * they, but this person may be given a code. `not-addressed`: it is allowed, and does not speak to us.
 */
export type AccessRefusal = 'bot' | 'not-listed' | 'unpaired' | 'not-addressed'

/** `admin`: named as one. `user`: not named, where others are. `ungated`: this instance names no admins. */
export type CallerTier = 'admin' | 'user' | 'ungated'

/** May this start something, and by whose rights? */
export type AccessVerdict = { readonly isAllowed: true; readonly tier: CallerTier } | { readonly isAllowed: false; readonly reason: AccessRefusal }

/** Who may speak to an instance: whoever is in its lists, also whoever has a code approved, all, or none. */
export type AccessMode = 'everybody' | 'listed' | 'pairing' | 'nobody'

/**
 * The one place where access is judged, for messages, commands, buttons, reactions, edits, deletions, notices and native events
 * alike: by immutable ids, closed by default. Ids are compared to the letter, so `0123` and a name never match an id that looks like them.
 */
export function judgeAccess(subject: AccessSubject, options: SharedOptions, facts: AccessFacts): AccessVerdict {
  const { author } = subject
  const tier = tierOf(author, options)
  // It only says where a chat is from now on. Nobody is its author, and without it the sessions of people who are allowed would be lost.
  if (subject.kind === 'notice' && subject.name === 'chat-moved' && !author) return { isAllowed: true, tier }
  if (author?.isBot && !hearsBot(subject, options)) return refuse('bot')
  if (!isListed(subject, options, facts)) return refuse(mayAskForCode(subject, options) ? 'unpaired' : 'not-listed')
  if (subject.kind === 'message' && !isAddressed(subject, options)) return refuse('not-addressed')
  return { isAllowed: true, tier }
}

/** What the options say of people whom no list names. */
export function accessMode(options: SharedOptions): AccessMode {
  if (options.allowAll) return 'everybody'
  if (whatOfUnknown(options) === 'pair') return 'pairing'
  const lists = [options.allowFrom, options.allowChats, options.allowRoles, options.admins]
  return lists.some((list) => list !== undefined && list.length > 0) ? 'listed' : 'nobody'
}

function tierOf(author: Author | undefined, { admins }: SharedOptions): CallerTier {
  if (admins === undefined || admins.length === 0) return 'ungated'
  return author !== undefined && admins.includes(author.id) ? 'admin' : 'user'
}

/** A bot that is heard still has to be allowed, as a person has. */
function hearsBot(subject: AccessSubject, { allowBots = 'none' }: SharedOptions): boolean {
  if (allowBots === 'mentions') return subject.kind !== 'message' || speaksToUs(subject)
  return allowBots === 'all'
}

function isListed({ chat, author }: AccessSubject, options: SharedOptions, facts: AccessFacts): boolean {
  if (options.allowAll || options.allowChats?.includes(chat.chatId)) return true
  if (!author) return false
  const { allowFrom, admins, allowRoles } = options
  if (allowFrom?.includes(author.id) || admins?.includes(author.id)) return true
  return (allowRoles?.some((role) => author.roles?.includes(role)) ?? false) || facts.isPaired(author.id)
}

/** Codes are given in direct chats only: in others everybody would read them, and silence is what strangers get there. */
function mayAskForCode({ kind, chat, author }: AccessSubject, options: SharedOptions): boolean {
  const isWords = kind === 'message' || kind === 'command'
  return isWords && chat.kind === 'dm' && author !== undefined && !author.isBot && whatOfUnknown(options) === 'pair'
}

/** A list that is set and empty is a list: somebody meant nobody. */
function whatOfUnknown({ unknownSenders, allowFrom, allowChats, allowRoles }: SharedOptions): 'pair' | 'ignore' {
  const hasList = [allowFrom, allowChats, allowRoles].some((list) => list !== undefined)
  return unknownSenders ?? (hasList ? 'ignore' : 'pair')
}

function isAddressed(subject: AccessSubject, { requireMention = true }: SharedOptions): boolean {
  return speaksToUs(subject) || (!requireMention && subject.mentions !== 'others')
}

function speaksToUs({ mentions, chat }: AccessSubject): boolean {
  return mentions === 'us' || chat.kind === 'dm'
}

function refuse(reason: AccessRefusal): AccessVerdict {
  return { isAllowed: false, reason }
}
