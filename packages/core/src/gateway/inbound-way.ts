import type { InboundEvent, InboundMessage, RoutedChat, SharedOptions } from '@hermes/plugin-sdk'
import { judgeAccess } from '../access/index.js'
import { holdsWhatFollows, parseCommand, type CommandCall } from '../commands/index.js'
import type { Ids } from '../kernel/index.js'
import { profileOfInstance, sessionKey } from '../sessions/index.js'
import type { LaneRoute } from '../store/index.js'

/** What has to be known of the house to see where an event goes. */
export interface WayPorts {
  readonly ids: Ids
  /** Messages that may wait in one conversation. What was written before the bot connected is taken all the same. */
  readonly waitingLimit: number
  /** The access options of an adapter instance; `undefined` while no plugin brings it. */
  optionsOf(adapter: string): SharedOptions | undefined
  /** Since when its connection stands, milliseconds since the epoch. */
  connectedSince(adapter: string): number | undefined
}

/** Where an event goes: to an end without a turn, to a command, or to the lane of its conversation. */
export type InboundWay =
  | { readonly kind: 'end'; readonly key: string; readonly reason: string }
  | { readonly kind: 'command'; readonly key: string; readonly call: Omit<CommandCall, 'seq'> }
  | {
      readonly kind: 'lane'
      readonly key: string
      readonly route: LaneRoute
      readonly replyTo: string | undefined
      /** In place of the stored one. */
      readonly event?: InboundEvent | undefined
    }

/** Says where an event goes, before or after it is stored. It changes nothing; `undefined`: no plugin brings the adapter. */
export function wayOf(adapter: string, event: InboundEvent, ports: WayPorts): InboundWay | undefined {
  const options = ports.optionsOf(adapter)
  if (!options) return undefined
  const { chat } = event
  const key = sessionKeyOf(adapter, event)
  const verdict = judgeAccess(event, options)
  if (!verdict.isAllowed) return { kind: 'end', key, reason: verdict.reason }
  if (event.kind === 'command') {
    const { name, args, author: caller } = event
    return { kind: 'command', key, call: { name, args, author: caller, chat: { ...chat, adapter }, sessionKey: key } }
  }
  if (event.kind !== 'message') return { kind: 'end', key, reason: event.kind }
  if (event.text.trim() === '') return { kind: 'end', key, reason: 'empty' }
  return wayOfText(event, { key, chat: { ...chat, adapter } }, ports)
}

/** The session that an event belongs to. */
export function sessionKeyOf(adapter: string, { chat, author }: InboundEvent): string {
  return sessionKey({ ...chat, profile: profileOfInstance(adapter, chat.platform), userId: author?.id })
}

/** Does what is behind it in its session wait until it is done? */
export function isHolding(way: InboundWay): boolean {
  // A write that has to be repeated must not be overtaken, and a stop behind a message must find its turn.
  return way.kind === 'lane' || (way.kind === 'command' && holdsWhatFollows(way.call.name))
}

function wayOfText(event: InboundMessage, { key, chat }: { key: string; chat: RoutedChat }, ports: WayPorts): InboundWay {
  const replyTo = chat.kind === 'dm' ? undefined : event.messageId
  const command = parseCommand(event.text)
  if (command) return { kind: 'command', key, call: { ...command, author: event.author, chat, sessionKey: key, replyTo } }
  const limit = event.at < (ports.connectedSince(chat.adapter) ?? Infinity) ? Number.MAX_SAFE_INTEGER : ports.waitingLimit
  return { kind: 'lane', key, route: { key, conversation: ports.ids.next('conversation'), chat, limit }, replyTo }
}
