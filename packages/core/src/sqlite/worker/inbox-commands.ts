import type { InboundEvent } from '@hermes/plugin-sdk'
import type { CommandGroup, CommandHandlers, InboxRecord, InboxSettlement, LaneRecord, RunOrder } from '../../store/index.js'
import type { Connection } from './connection.js'
import { findPlace, type LanePlace } from './lanes.js'

/** A row of the inbox as SQLite gives it. */
export interface InboxColumns {
  readonly seq: number
  readonly adapter: string
  readonly event: string
  readonly received_at: number
}

/** The columns of `InboxColumns`. */
export const inboxColumns = 'seq, adapter, event, received_at'

/** What is received, and what leaves without a turn. */
export const inboxCommands: CommandHandlers<Connection, CommandGroup<'inbox'>> = {
  'inbox.receive'(connection, { adapter, account, events, at }) {
    const fullKeys = new Set<string>()
    return events.map(({ event, route }) => {
      if (connection.row('SELECT 1 FROM inbox WHERE account = ? AND event_id = ?', [account, event.id])) return { receipt: 'duplicate' }
      const place = route && !fullKeys.has(route.key) ? findPlace(connection, { ...route, at }) : undefined
      if (route && !place) fullKeys.add(route.key)
      const seq = addToInbox(connection, { account, id: event.id, adapter, event, at, place })
      return { receipt: 'stored', seq, conversation: place?.conversation }
    })
  },

  'inbox.unrouted': (connection, { after, limit }) =>
    connection
      .rows<InboxColumns>(`SELECT ${inboxColumns} FROM inbox WHERE lane IS NULL AND settled IS NULL AND seq > ? ORDER BY seq LIMIT ?`, [after, limit])
      .map(inboxRecord),

  'inbox.settle': settleUnrouted,
}

/** An event, or an order in its place. */
type KeptEvent = InboundEvent | { readonly run: RunOrder }

interface ReceivedRow {
  readonly account: string
  readonly id: string
  readonly adapter: string
  readonly event: KeptEvent
  readonly at: number
  /** Where it waits; without one it has to be routed. */
  readonly place: LanePlace | undefined
}

/** Makes a row; answers its number. */
export function addToInbox(connection: Connection, { account, id, adapter, event, at, place }: ReceivedRow): number {
  const { insertedId } = connection.run(
    'INSERT INTO inbox (account, event_id, adapter, event, received_at, lane, position) VALUES (?, ?, ?, ?, ?, ?, ?)',
    [account, id, adapter, JSON.stringify(event), at, place?.conversation ?? null, place?.position ?? null],
  )
  return insertedId
}

/** Ends a row without a turn, unless it is in a lane or settled already. Its text is not needed any more. */
export function settleUnrouted(connection: Connection, { seq, reason }: InboxSettlement): void {
  connection.run(`UPDATE inbox SET settled = ?, event = '' WHERE seq = ? AND lane IS NULL AND settled IS NULL`, [reason, seq])
}

/** A row as the store hands it out. */
function inboxRecord(row: InboxColumns): InboxRecord {
  return { seq: row.seq, adapter: row.adapter, event: JSON.parse(row.event) as InboundEvent, receivedAt: row.received_at }
}

/** A row of a lane as the store hands it out. */
export function laneRecord(row: InboxColumns): LaneRecord {
  const kept = JSON.parse(row.event) as KeptEvent
  const { seq, adapter, received_at: receivedAt } = row
  return 'run' in kept ? { seq, run: kept.run, receivedAt } : { seq, adapter, event: kept, receivedAt }
}
