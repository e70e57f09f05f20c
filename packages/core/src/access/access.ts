import type { Author, ChatAddress, InboundEvent } from '@hermes/plugin-sdk'
import { notices } from '../kernel/index.js'
import { judgeAccess, type AccessSubject, type AccessVerdict } from './judge-access.js'
import { Pairing } from './pairing.js'
import type { AccessPorts } from './ports.js'
import { WindowTally } from './window-tally.js'

const minuteMs = 60_000
/** A chat's bots are heard so often … */
const botExchanges = 6
/** … within so long, unless a person of the chat says something: bots that answer each other never end by themselves. */
const botWindowMs = 10 * minuteMs
/** Lines of the log about events that were not taken, of one instance within a minute; the others are counted. */
const refusalLines = 10

/** What an instance did not take since the start. */
export interface AccessCounts {
  /** Events of senders who may not speak, or of bots that went on for too long. */
  readonly denied: number
  /** Events of senders who may, and who sent too many within a minute. */
  readonly overQuota: number
}

/** Says who may do what. */
export interface Access {
  readonly pairing: Pairing
  /** Judges whatever somebody did; `undefined`: no plugin brings the adapter. */
  judge(adapter: string, subject: AccessSubject): AccessVerdict | undefined
  /**
   * The door before the inbox: `false` for an event of which nothing can come, or too many came already. It is counted, and need not be
   * stored. Each admitted event counts towards the quota of its sender.
   */
  admit(adapter: string, event: InboundEvent): boolean
  /** An admitted event was not stored after all: the store took nothing, or knew it already. */
  takeBack(adapter: string, event: InboundEvent): void
  counts(adapter: string): AccessCounts
}

/** Makes the access. Nobody is paired before `pairing.load()`. */
export function createAccess(ports: AccessPorts): Access {
  return new HouseAccess(ports)
}

class HouseAccess implements Access {
  readonly pairing: Pairing
  readonly #ports: AccessPorts
  readonly #senders: WindowTally
  readonly #bots: WindowTally
  readonly #lines: WindowTally
  readonly #counts = new Map<string, { denied: number; overQuota: number }>()

  constructor(ports: AccessPorts) {
    const { clock, messagesPerMinute } = ports
    this.#ports = ports
    this.pairing = new Pairing(ports)
    this.#senders = new WindowTally({ clock, windowMs: minuteMs, limit: messagesPerMinute })
    this.#bots = new WindowTally({ clock, windowMs: botWindowMs, limit: botExchanges })
    this.#lines = new WindowTally({ clock, windowMs: minuteMs, limit: refusalLines })
  }

  judge(adapter: string, subject: AccessSubject): AccessVerdict | undefined {
    const options = this.#ports.optionsOf(adapter)
    return options && judgeAccess(subject, options, { isPaired: (userId) => this.pairing.isPaired(adapter, userId) })
  }

  admit(adapter: string, event: InboundEvent): boolean {
    const verdict = this.judge(adapter, event)
    const { author, chat } = event
    if (!verdict) return true
    if (!verdict.isAllowed && verdict.reason === 'unpaired' && author)
      return this.pairing.reserve(adapter, author.id) || this.#refuse(adapter, event, 'unpaired')
    // What does not speak to us is stored: plugins may want to know what is said.
    if (!verdict.isAllowed && verdict.reason !== 'not-addressed') return this.#refuse(adapter, event, verdict.reason)
    if (!this.#isBotHeard(adapter, event)) return this.#refuse(adapter, event, 'bot-loop')
    if (!author || this.#isCatchUp(adapter, event)) return true
    const quota = this.#senders.take(senderKey(adapter, author))
    if (quota === 'within') return true
    if (quota === 'first-over' && verdict.isAllowed && isWords(event)) this.#tellQuota(adapter, chat, event)
    return this.#refuse(adapter, event, 'over-quota')
  }

  takeBack(adapter: string, event: InboundEvent): void {
    const { author, chat } = event
    if (!author) return
    const verdict = this.judge(adapter, event)
    if (verdict && !verdict.isAllowed && verdict.reason === 'unpaired') this.pairing.release(adapter, author.id)
    if (author.isBot && isWords(event)) this.#bots.giveBack(chatKey(adapter, chat))
    if (!this.#isCatchUp(adapter, event)) this.#senders.giveBack(senderKey(adapter, author))
  }

  counts(adapter: string): AccessCounts {
    return { ...this.#countsOf(adapter) }
  }

  #isBotHeard(adapter: string, event: InboundEvent): boolean {
    if (!isWords(event)) return true
    const key = chatKey(adapter, event.chat)
    if (event.author.isBot) return this.#bots.take(key) === 'within'
    this.#bots.reset(key)
    return true
  }

  /** What was written while the bot was away comes all at once, and is no flood. */
  #isCatchUp(adapter: string, event: InboundEvent): boolean {
    return event.at < (this.#ports.connectedSince(adapter) ?? Infinity)
  }

  #refuse(adapter: string, event: InboundEvent, reason: string): false {
    this.#countsOf(adapter)[reason === 'over-quota' ? 'overQuota' : 'denied']++
    const level = this.#lines.take(adapter) === 'within' ? 'info' : 'debug'
    this.#ports.logger[level]({ adapter, kind: event.kind, chat: event.chat.chatId, author: event.author?.id, reason }, 'An event was not taken.')
    return false
  }

  #tellQuota(adapter: string, chat: ChatAddress, event: InboundEvent): void {
    const replyTo = chat.kind !== 'dm' && event.kind === 'message' ? event.messageId : undefined
    void this.#ports.delivery.tell({ ...chat, adapter }, notices['quota.over'](this.#ports.messagesPerMinute), replyTo)
  }

  #countsOf(adapter: string): { denied: number; overQuota: number } {
    const known = this.#counts.get(adapter) ?? { denied: 0, overQuota: 0 }
    this.#counts.set(adapter, known)
    return known
  }
}

function isWords(event: InboundEvent): event is Extract<InboundEvent, { kind: 'message' | 'command' }> {
  return event.kind === 'message' || event.kind === 'command'
}

function senderKey(adapter: string, author: Author): string {
  return JSON.stringify([adapter, author.id])
}

function chatKey(adapter: string, { scopeId, chatId, threadId }: ChatAddress): string {
  return JSON.stringify([adapter, scopeId, chatId, threadId])
}
