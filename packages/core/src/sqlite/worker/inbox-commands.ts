import type { InboundEvent } from '@hermes/plugin-sdk'
import type { CommandGroup, CommandHandlers, InboxRecord, InboxSettlement } from '../../store/index.js'
import type { Connection } from './connection.js'
import { joinLane } from './lanes.js'

/** A row of the inbox as SQLite gives it. */
export interface InboxColumns {
  readonly seq: number
  readonly adapter: string
  readonly event: string
  readonly received_at: number
}

/** What is received, and what leaves without a turn. */
export const inboxCommands: CommandHandlers<Connection, CommandGroup<'inbox'>> = {
  'inbox.receive'(connection, { adapter, account, events, at }) {
    const fullKeys = new Set<string>()
    return events.map(({ event, route }) => {
      const { changes, insertedId: seq } = connection.run(
        `INSERT INTO inbox (account, event_id, adapter, event, received_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (account, event_id) DO NOTHING`,
        [account, event.id, adapter, JSON.stringify(event), at],
      )
      if (changes === 0) return { receipt: 'duplicate' }
      if (!route || fullKeys.has(route.key)) return { receipt: 'stored', seq }
      const conversation = joinLane(connection, seq, { ...route, at })
      if (conversation === undefined) fullKeys.add(route.key)
      return { receipt: 'stored', seq, conversation }
    })
  },

  'inbox.unrouted': (connection, { after, limit }) =>
    connection
      .rows<InboxColumns>(
        `SELECT seq, adapter, event, received_at FROM inbox
         WHERE lane IS NULL AND settled IS NULL AND seq > ? ORDER BY seq LIMIT ?`,
        [after, limit],
      )
      .map(inboxRecord),

  'inbox.settle': settleUnrouted,
}

/** Ends a row without a turn, unless it is in a lane or settled already. Its text is not needed any more. */
export function settleUnrouted(connection: Connection, { seq, reason }: InboxSettlement): void {
  connection.run(`UPDATE inbox SET settled = ?, event = '' WHERE seq = ? AND lane IS NULL AND settled IS NULL`, [reason, seq])
}

/** A row as the store hands it out. */
export function inboxRecord(row: InboxColumns): InboxRecord {
  return { seq: row.seq, adapter: row.adapter, event: JSON.parse(row.event) as InboundEvent, receivedAt: row.received_at }
}
