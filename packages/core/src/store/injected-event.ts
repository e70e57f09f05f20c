import type { InboundEvent, RoutedChat } from '@hermes/plugin-sdk'
import type { InboxRecord } from './records.js'

/** What a plugin says into a conversation. */
export interface Injection {
  /** Unique. */
  readonly id: string
  readonly text: string
  /** Id of the plugin. */
  readonly by: string
}

/** An injection as it waits in a lane. No event of a platform gets there under this name: notices start no turn. */
export function injectedRecord({ id, text, by }: Injection, { adapter, ...chat }: RoutedChat, at: number): Omit<InboxRecord, 'seq'> {
  return { adapter, event: { kind: 'notice', name: 'injected', id, at, chat, data: { text, by } }, receivedAt: at }
}

/** The text of an event of a lane that a plugin injected; `undefined`: it is another one. */
export function injectedText(event: InboundEvent): string | undefined {
  if (event.kind !== 'notice' || event.name !== 'injected') return undefined
  const { text } = event.data
  return typeof text === 'string' ? text : undefined
}
