import type { Attachment, Clock, InboundMessage } from '@hermes/plugin-sdk'
import type { InboxRecord } from '../store/index.js'

/** A message is whole after so long, also where parts keep coming. */
const longestMs = 10_000
/** Parts of one message; a further one begins another message. */
const mostParts = 50

/** A row, and those that are part of it: its event is all of them. */
export interface Arrival {
  readonly row: InboxRecord
  readonly parts: readonly InboxRecord[]
}

interface OpenJoin {
  readonly rows: InboxRecord[]
  readonly since: number
  lastAt: number
}

/** Messages of which parts are still coming. Their rows are in the store, so a crash loses none: they are joined after the next start. */
export class MessageJoins {
  readonly #clock: Clock
  readonly #signal: AbortSignal
  readonly #open = new Map<string, OpenJoin>()

  /** `signal` aborts when the house closes. */
  constructor({ clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }) {
    this.#clock = clock
    this.#signal = signal
  }

  /**
   * The message that begins with this row, when it is whole. `joined`: it is part of one that began already. `undefined`: nothing has
   * to be waited for. The promise answers `undefined` when the house closes meanwhile, and never rejects.
   */
  take(row: InboxRecord): Promise<Arrival | undefined> | 'joined' | undefined {
    const { event } = row
    if (event.kind !== 'message' || !event.join) return undefined
    const key = JSON.stringify([row.adapter, event.chat.scopeId, event.chat.chatId, event.chat.threadId, event.author.id, event.join.key])
    const open = this.#open.get(key)
    if (!open) return this.#begin(key, row, event.join.quietMs)
    open.rows.push(row)
    open.lastAt = this.#clock.now()
    if (open.rows.length >= mostParts) this.#open.delete(key)
    return 'joined'
  }

  async #begin(key: string, first: InboxRecord, quietMs: number): Promise<Arrival | undefined> {
    const now = this.#clock.now()
    const open: OpenJoin = { rows: [first], since: now, lastAt: now }
    this.#open.set(key, open)
    while (this.#open.get(key) === open && !this.#signal.aborted) {
      const waitMs = Math.min(open.lastAt + quietMs, open.since + longestMs) - this.#clock.now()
      if (waitMs <= 0) break
      await this.#clock.sleep(waitMs, this.#signal).catch(() => undefined)
    }
    if (this.#open.get(key) === open) this.#open.delete(key)
    return this.#signal.aborted ? undefined : join(open.rows)
  }
}

function join(rows: readonly InboxRecord[]): Arrival | undefined {
  const [row, ...parts] = rows
  if (!row || parts.length === 0) return row && { row, parts }
  const messages = rows.map(({ event }) => event as InboundMessage)
  return { row: { ...row, event: { ...(row.event as InboundMessage), ...all(messages) } }, parts }
}

/** What the parts say together. Captions that repeat stand once; whoever speaks to us in one part means us in all. */
function all(messages: readonly InboundMessage[]): Partial<InboundMessage> {
  const texts = [...new Set(messages.map(({ text }) => text.trim()).filter(Boolean))]
  const mentions = (['us', 'others'] as const).find((whom) => messages.some((message) => message.mentions === whom)) ?? 'none'
  const attachments: readonly Attachment[] = messages.flatMap((message) => message.attachments ?? [])
  const context = [...new Set(messages.flatMap((message) => message.context ?? []))]
  const replyTo = messages.find((message) => message.replyTo)?.replyTo
  return {
    text: texts.join('\n\n'),
    mentions,
    ...(attachments.length > 0 && { attachments }),
    ...(context.length > 0 && { context }),
    ...(replyTo && { replyTo }),
  }
}
