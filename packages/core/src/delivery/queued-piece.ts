import type { Adapter, MessageStream } from '@hermes/plugin-sdk'
import type { OutboxRecord } from '../store/index.js'

/** A stored row on its way. */
export interface QueuedPiece {
  readonly row: OutboxRecord
  /**
   * `pending`: to be marked before its call. `marked`: stored as `attempting` by this life, its call follows. `interrupted`: an
   * earlier life marked it, and whether its call was made is not known.
   */
  readonly start: 'pending' | 'marked' | 'interrupted'
  /** The stream that becomes the message. */
  readonly stream?: OpenStream | undefined
  /** What must be on the screen first. Never rejects. */
  readonly after?: Promise<void> | undefined
  /** What besides its date it waits for. */
  readonly patience?: Patience | undefined
}

/** A stream on which the text of a piece is shown already. */
export interface OpenStream {
  /** A stream lives as long as the connection that it was opened on. */
  readonly adapter: Adapter
  readonly stream: MessageStream
  /** Ends it with what is shown; returns at once and never throws. */
  abandon(): void
}

/** `connection`: the next one is needed. `date-or-connection`: the next one makes it due. `connections`: how many there were by then. */
export interface Patience {
  readonly kind: 'connection' | 'date-or-connection'
  readonly connections: number
}

/** May the piece be sent, as far as its own date and patience go? */
export function isDue({ row, patience }: QueuedPiece, now: number, connections: number): boolean {
  const hasReconnected = patience !== undefined && connections > patience.connections
  if (patience?.kind === 'connection') return hasReconnected
  return now >= row.dueAt || hasReconnected
}
