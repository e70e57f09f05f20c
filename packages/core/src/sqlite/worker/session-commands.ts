import type { TurnId } from '@hermes/plugin-sdk'
import { injectedRecord, stoppedByRenewal, type CommandGroup, type CommandHandlers, type LaneStatus } from '../../store/index.js'
import type { Connection } from './connection.js'
import { addToInbox, settleUnrouted } from './inbox-commands.js'
import { findPlace, findSession, openLane, tailOf, waitsInLane } from './lanes.js'
import { addPieces } from './outbox-commands.js'

/** Which conversation a key leads to, and what waits there. */
export const sessionCommands: CommandHandlers<Connection, CommandGroup<'session'>> = {
  'session.route'(connection, { seq, event, joined = [], ...route }) {
    const row = connection.row<{ lane: string | null; settled: string | null }>('SELECT lane, settled FROM inbox WHERE seq = ?', [seq])
    if (!row || row.settled !== null) return { outcome: 'settled' }
    if (row.lane !== null) return { outcome: 'queued', conversation: row.lane }
    const place = findPlace(connection, route)
    if (!place) return { outcome: 'full' }
    const { conversation, position } = place
    connection.run('UPDATE inbox SET lane = ?, position = ? WHERE seq = ?', [conversation, position, seq])
    if (event) connection.run('UPDATE inbox SET event = ? WHERE seq = ?', [JSON.stringify(event), seq])
    for (const part of joined) settleUnrouted(connection, { seq: part, reason: 'joined' })
    return { outcome: 'queued', conversation }
  },

  'session.inject'(connection, { key, limit, at, ...said }) {
    const session = findSession(connection, key)
    if (!session) return { outcome: 'no-session' }
    const { conversation, chat } = session
    const place = findPlace(connection, { key, conversation, chat, limit, at })
    if (!place) return { outcome: 'full' }
    const { adapter, event } = injectedRecord(said, chat, at)
    addToInbox(connection, { account: `plugin:${said.by}`, id: said.id, adapter, event, at, place })
    return { outcome: 'queued', conversation }
  },

  'session.move'(connection, { from, to, chat, at, settles }) {
    // The colon is followed by the semicolon, so that all keys that go on with one lie between the two.
    const sessions = connection.rows<{ key: string }>('SELECT key FROM sessions WHERE key = ? OR (key >= ? AND key < ?)', [
      from,
      `${from}:`,
      `${from};`,
    ])
    const moved = sessions.filter(({ key }) => {
      const next = to + key.slice(from.length)
      const { changes } = connection.run('UPDATE OR IGNORE sessions SET key = ?, chat = ?, updated_at = ? WHERE key = ?', [
        next,
        JSON.stringify(chat),
        at,
        key,
      ])
      if (changes > 0) connection.run('UPDATE lanes SET session_key = ? WHERE session_key = ?', [next, key])
      return changes > 0
    })
    settleUnrouted(connection, settles)
    return { moved: moved.length }
  },

  'session.get'(connection, { key }) {
    const session = findSession(connection, key)
    return session && { session, lane: laneStatus(connection, session.conversation) }
  },

  'session.renew'(connection, args) {
    const session = findSession(connection, args.key)
    if (session?.conversation !== args.conversation) return { session, isRenewed: false, outbox: [] }
    const renewed = { ...session, conversation: args.next, generation: session.generation + 1, updatedAt: args.at }
    openLane(connection, { conversation: args.next, key: args.key, at: args.at })
    connection.run('UPDATE sessions SET conversation = ?, generation = ?, updated_at = ? WHERE key = ?', [
      renewed.conversation,
      renewed.generation,
      renewed.updatedAt,
      args.key,
    ])
    connection.run('UPDATE lanes SET ended_at = ?, end_reason = ? WHERE conversation = ?', [args.at, args.reason, args.conversation])
    connection.run(`UPDATE inbox SET lane = ? WHERE lane = ? AND ${waitsInLane}`, [args.next, args.conversation])
    connection.run(`UPDATE turns SET stop = ? WHERE lane = ? AND state = 'open' AND stop IS NULL`, [
      JSON.stringify(stoppedByRenewal),
      args.conversation,
    ])
    if (args.settles) settleUnrouted(connection, args.settles)
    return { session: renewed, isRenewed: true, outbox: addPieces(connection, args.outbox, args.at) }
  },
}

function laneStatus(connection: Connection, conversation: string): LaneStatus {
  const lane = connection.row<{ epoch: number; started_at: number; messages: number; turn: TurnId | null }>(
    `SELECT epoch, started_at,
       (SELECT count(*) FROM messages WHERE conversation = lanes.conversation) AS messages,
       (SELECT id FROM turns WHERE lane = lanes.conversation AND state = 'open') AS turn
     FROM lanes WHERE conversation = ?`,
    [conversation],
  )
  if (!lane) throw new Error(`conversation ${conversation} has no lane`)
  const { waiting } = tailOf(connection, conversation)
  return { conversation, epoch: lane.epoch, messages: lane.messages, waiting, openTurn: lane.turn ?? undefined, startedAt: lane.started_at }
}
