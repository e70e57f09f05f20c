import type { CommandGroup, CommandHandlers } from '../command-handlers.js'
import type { InboxSettlement } from '../commands.js'
import { joinLane, refuseTakenConversations } from './lanes.js'
import type { InboxRow, Tables } from './tables.js'

/** What is received, and what leaves without a turn. */
export const inboxCommands: CommandHandlers<Tables, CommandGroup<'inbox'>> = {
  'inbox.receive'(tables, { adapter, account, events, at }) {
    refuseTakenConversations(tables, events)
    const fullKeys = new Set<string>()
    return events.map(({ event, route }) => {
      const identity = JSON.stringify([account, event.id])
      if (tables.known.has(identity)) return { receipt: 'duplicate' }
      const seq = ++tables.lastInboxSeq
      const row: InboxRow = { identity, record: { seq, adapter, event, receivedAt: at } }
      tables.inbox.set(seq, row)
      tables.unrouted.set(seq, row)
      tables.known.set(identity, row)
      if (!route || fullKeys.has(route.key)) return { receipt: 'stored', seq }
      const conversation = joinLane(tables, row, { ...route, at })
      if (conversation === undefined) fullKeys.add(route.key)
      return { receipt: 'stored', seq, conversation }
    })
  },

  'inbox.unrouted'(tables, { after, limit }) {
    return [...tables.unrouted.values()]
      .map((row) => row.record)
      .filter((record) => 'event' in record)
      .filter((record) => record.seq > after)
      .slice(0, limit)
  },

  'inbox.settle': settleUnrouted,
}

/** Ends a row without a turn, unless it is in a lane or settled already. */
export function settleUnrouted(tables: Tables, { seq, reason }: InboxSettlement): void {
  const row = tables.unrouted.get(seq)
  if (!row) return
  row.settled = reason
  tables.unrouted.delete(seq)
}
