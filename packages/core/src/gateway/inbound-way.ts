import type { Author, InboundEvent, InboundMessage, InboundNotice, RoutedChat } from '@hermes/plugin-sdk'
import { z } from 'zod'
import type { AccessVerdict } from '../access/index.js'
import { holdsWhatFollows, parseCommand, type CommandCall } from '../commands/index.js'
import type { Ids } from '../kernel/index.js'
import { profileOfInstance, sessionKey } from '../sessions/index.js'
import type { LaneRoute } from '../store/index.js'

/** What has to be known of the house to see where an event goes. */
export interface WayPorts {
  readonly ids: Ids
  /** Messages that may wait in one conversation. What was written before the bot connected is taken all the same. */
  readonly waitingLimit: number
  /** May the event start something? `undefined` while no plugin brings its adapter. */
  judge(adapter: string, event: InboundEvent): AccessVerdict | undefined
  /** Since when its connection stands, milliseconds since the epoch. */
  connectedSince(adapter: string): number | undefined
}

/**
 * Where an event goes: to an end without a turn, to a code for whoever wants to be let in, to a command, to the lane of its conversation,
 * or it moves the sessions of its chat.
 */
export type InboundWay =
  | { readonly kind: 'end'; readonly key: string; readonly reason: string }
  | { readonly kind: 'pairing'; readonly key: string; readonly chat: RoutedChat; readonly author: Author }
  | { readonly kind: 'command'; readonly key: string; readonly call: Omit<CommandCall, 'seq'> }
  | {
      readonly kind: 'lane'
      readonly key: string
      readonly route: LaneRoute
      readonly replyTo: string | undefined
      /** In place of the stored one. */
      readonly event?: InboundEvent | undefined
    }
  | MovingWay

/** The sessions of a chat go on under its new address. */
export interface MovingWay {
  readonly kind: 'move'
  readonly key: string
  /** What the keys of the sessions begin with afterwards. */
  readonly to: string
  readonly chat: RoutedChat
}

/** Says where an event goes, before or after it is stored. It changes nothing; `undefined`: no plugin brings the adapter. */
export function wayOf(adapter: string, event: InboundEvent, ports: WayPorts): InboundWay | undefined {
  const verdict = ports.judge(adapter, event)
  if (!verdict) return undefined
  const { chat, author } = event
  const key = sessionKeyOf(adapter, event)
  if (!verdict.isAllowed) {
    if (verdict.reason === 'unpaired' && author) return { kind: 'pairing', key, chat: { ...chat, adapter }, author }
    return { kind: 'end', key, reason: verdict.reason }
  }
  const { tier } = verdict
  if (event.kind === 'command') {
    const { name, args, author: caller } = event
    return { kind: 'command', key, call: { name, args, author: caller, tier, chat: { ...chat, adapter }, sessionKey: key } }
  }
  if (isMove(event)) return wayOfMove(adapter, event)
  if (event.kind !== 'message') return { kind: 'end', key, reason: event.kind }
  if (event.text.trim() === '' && !event.attachments?.length) return { kind: 'end', key, reason: 'empty' }
  return wayOfText(event, { key, chat: { ...chat, adapter }, tier }, ports)
}

/** The session that an event belongs to. */
export function sessionKeyOf(adapter: string, { chat, author }: Pick<InboundEvent, 'chat' | 'author'>): string {
  return sessionKey({ ...chat, profile: profileOfInstance(adapter, chat.platform), userId: author?.id })
}

/** Does what is behind it in its session wait until it is done? */
export function isHolding(way: InboundWay): boolean {
  // A write that has to be repeated must not be overtaken, and a stop behind a message must find its turn.
  return way.kind === 'lane' || way.kind === 'move' || (way.kind === 'command' && holdsWhatFollows(way.call.name))
}

interface TextFrame {
  readonly key: string
  readonly chat: RoutedChat
  readonly tier: CommandCall['tier']
}

function wayOfText(event: InboundMessage, { key, chat, tier }: TextFrame, ports: WayPorts): InboundWay {
  const replyTo = chat.kind === 'dm' ? undefined : event.messageId
  const command = parseCommand(event.text)
  if (command) return { kind: 'command', key, call: { ...command, author: event.author, tier, chat, sessionKey: key, replyTo } }
  const limit = event.at < (ports.connectedSince(chat.adapter) ?? Infinity) ? Number.MAX_SAFE_INTEGER : ports.waitingLimit
  return { kind: 'lane', key, route: { key, conversation: ports.ids.next('conversation'), chat, limit }, replyTo }
}

/** Does the event say that its chat has another address? What comes behind it may be of the new one. */
export function isMove(event: InboundEvent): event is InboundNotice {
  return event.kind === 'notice' && event.name === 'chat-moved'
}

function wayOfMove(adapter: string, event: InboundNotice): InboundWay {
  const key = sessionKeyOf(adapter, { chat: event.chat })
  const chat = movedChat.safeParse(event.data['chat'])
  if (!chat.success) return { kind: 'end', key, reason: 'moved to no address' }
  return { kind: 'move', key, to: sessionKeyOf(adapter, { chat: chat.data }), chat: { ...chat.data, adapter } }
}

const movedChat = z.object({
  platform: z.string().min(1),
  kind: z.enum(['dm', 'group', 'channel', 'thread', 'forum']),
  chatId: z.string().min(1),
  scopeId: z.string().optional(),
})
