import type { Answer, StopReason, TurnId } from '@hermes/plugin-sdk'
import {
  endingAfterStop,
  isRefusedAfterStop,
  type CommandGroup,
  type CommandHandlers,
  type StoreCommands,
  type ToolIntent,
  type TurnClaim,
  type TurnFact,
} from '../../store/index.js'
import type { Connection } from './connection.js'
import { inboxRecord, type InboxColumns } from './inbox-commands.js'
import { findSession } from './lanes.js'
import { addPieces } from './outbox-commands.js'

interface OpenTurn {
  readonly id: TurnId
  readonly startedAt: number
  readonly stop: StopReason | undefined
}

/** A claim without its transcript, which is added as text when the claim is answered: it may be long. A known one is left out. */
export type BareClaim = Omit<TurnClaim, 'transcript'> & { readonly transcript?: 'known' | undefined }

type TurnHandlers = Omit<CommandHandlers<Connection, CommandGroup<'lane' | 'turn'>>, 'turn.claim'> & {
  readonly 'turn.claim': (connection: Connection, args: StoreCommands['turn.claim']['args']) => BareClaim | undefined
}

/** One turn at a time in a lane, fenced by its epoch. */
export const turnCommands: TurnHandlers = {
  'lane.ready': (connection) =>
    connection
      .rows<{ lane: string }>(
        `SELECT lane FROM inbox WHERE lane IS NOT NULL AND turn IS NULL AND settled IS NULL
         UNION SELECT lane FROM turns WHERE state = 'open'`,
      )
      .map((row) => row.lane),

  'turn.claim'(connection, args) {
    const cutOff = findOpenTurn(connection, args.lane)
    const turn = cutOff ?? openTurn(connection, args)
    if (!turn) return undefined
    const transcript = !cutOff && isAllOf(connection, args) ? 'known' : undefined
    connection.run('UPDATE lanes SET epoch = epoch + 1 WHERE conversation = ?', [args.lane])
    return claimOf(connection, args.lane, { turn, transcript })
  },

  'turn.commit'(connection, { lane, epoch, facts }) {
    const turn = fencedTurn(connection, lane, epoch)
    if (!turn || (turn.stop && facts.some(isRefusedAfterStop))) return 'stale'
    for (const fact of facts) takeFact(connection, { lane, turn: turn.id, fact })
    return 'stored'
  },

  'turn.answered'(connection, { lane, question }) {
    const row = connection.row<{ answer: string | null }>(
      `SELECT answer FROM questions WHERE id = ? AND turn = (SELECT id FROM turns WHERE lane = ? AND state = 'open')`,
      [question, lane],
    )
    return typeof row?.answer === 'string' ? (JSON.parse(row.answer) as Answer) : undefined
  },

  'turn.stop'(connection, { lane, reason }) {
    const turn = findOpenTurn(connection, lane)
    if (!turn) return { outcome: 'none' }
    if (!turn.stop) connection.run('UPDATE turns SET stop = ? WHERE id = ?', [JSON.stringify(reason), turn.id])
    return { outcome: 'stopping', turn: turn.id }
  },

  'turn.end'(connection, { lane, epoch, ending, at }) {
    const turn = fencedTurn(connection, lane, epoch)
    if (!turn) return { outcome: 'stale' }
    const kept = turn.stop ? endingAfterStop(ending, turn.id, turn.stop) : ending
    for (const fact of kept.facts) takeFact(connection, { lane, turn: turn.id, fact })
    connection.run('DELETE FROM intents WHERE turn = ?', [turn.id])
    connection.run('DELETE FROM questions WHERE turn = ?', [turn.id])
    connection.run('UPDATE turns SET state = ?, outcome = ?, ended_at = ? WHERE id = ?', [kept.state, JSON.stringify(kept.outcome), at, turn.id])
    connection.run(`UPDATE inbox SET settled = ?, event = '' WHERE turn = ? AND settled IS NULL`, [kept.state, turn.id])
    return { outcome: 'stored', outbox: addPieces(connection, kept.outbox, at), hasMore: oldestWaiting(connection, lane) !== undefined }
  },
}

function findOpenTurn(connection: Connection, lane: string): OpenTurn | undefined {
  const row = connection.row<{ id: TurnId; started_at: number; stop: string | null }>(
    `SELECT id, started_at, stop FROM turns WHERE lane = ? AND state = 'open'`,
    [lane],
  )
  return row && { id: row.id, startedAt: row.started_at, stop: row.stop === null ? undefined : (JSON.parse(row.stop) as StopReason) }
}

/** The open turn of a lane, if the epoch is the one that was claimed last. */
function fencedTurn(connection: Connection, lane: string, epoch: number): OpenTurn | undefined {
  return epochOf(connection, lane) === epoch ? findOpenTurn(connection, lane) : undefined
}

function epochOf(connection: Connection, lane: string): number | undefined {
  return connection.row<{ epoch: number }>('SELECT epoch FROM lanes WHERE conversation = ?', [lane])?.epoch
}

function oldestWaiting(connection: Connection, lane: string): { readonly seq: number } | undefined {
  return connection.row<{ seq: number }>(
    'SELECT seq FROM inbox WHERE lane = ? AND lane IS NOT NULL AND turn IS NULL AND settled IS NULL ORDER BY position LIMIT 1',
    [lane],
  )
}

function openTurn(connection: Connection, { lane, turn, at }: { lane: string; turn: string; at: number }): OpenTurn | undefined {
  const oldest = oldestWaiting(connection, lane)
  if (!oldest) return undefined
  connection.run('INSERT INTO turns (id, lane, started_at) VALUES (?, ?, ?)', [turn, lane, at])
  connection.run('UPDATE inbox SET turn = ? WHERE seq = ?', [turn, oldest.seq])
  return { id: turn as TurnId, startedAt: at, stop: undefined }
}

/** Has nobody claimed the lane since, and is nothing in its transcript that the caller does not hold? */
function isAllOf(connection: Connection, { lane, known }: StoreCommands['turn.claim']['args']): boolean {
  if (!known || epochOf(connection, lane) !== known.epoch) return false
  const stored = connection.row<{ messages: number }>('SELECT count(*) AS messages FROM messages WHERE conversation = ?', [lane])
  return stored?.messages === known.messages
}

function claimOf(connection: Connection, lane: string, { turn, transcript }: { turn: OpenTurn; transcript: BareClaim['transcript'] }): BareClaim {
  const key = connection.row<{ session_key: string }>('SELECT session_key FROM lanes WHERE conversation = ?', [lane])?.session_key
  const session = key === undefined ? undefined : findSession(connection, key)
  const epoch = epochOf(connection, lane)
  if (!session || epoch === undefined) throw new Error(`conversation ${lane} has no session`)
  const items = connection.rows<InboxColumns>(
    'SELECT seq, adapter, event, received_at FROM inbox WHERE turn = ? AND turn IS NOT NULL AND settled IS NULL ORDER BY position',
    [turn.id],
  )
  return {
    turn: turn.id,
    lane,
    epoch,
    session,
    items: items.map(inboxRecord),
    stop: turn.stop,
    startedAt: turn.startedAt,
    transcript,
  }
}

function takeFact(connection: Connection, { lane, turn, fact }: { lane: string; turn: TurnId; fact: TurnFact }): void {
  switch (fact.kind) {
    case 'message':
      connection.run('INSERT INTO messages (conversation, message) VALUES (?, ?)', [lane, JSON.stringify(fact.message)])
      break
    case 'intent': {
      const intent: ToolIntent = { turn, callId: fact.callId, name: fact.name, input: fact.input }
      connection.run('INSERT INTO intents (turn, intent) VALUES (?, ?)', [turn, JSON.stringify(intent)])
      break
    }
    case 'state':
      connection.run('INSERT INTO states (conversation, runtime, state) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET state = excluded.state', [
        lane,
        fact.runtime,
        JSON.stringify(fact.state),
      ])
      break
    case 'question':
      connection.run('INSERT INTO questions (turn, id, question) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET question = excluded.question', [
        turn,
        fact.question.id,
        JSON.stringify(fact.question),
      ])
      break
    case 'answer':
      connection.run('UPDATE questions SET answer = ? WHERE turn = ? AND id = ? AND answer IS NULL', [JSON.stringify(fact.answer), turn, fact.id])
      break
    case 'snapshot':
      connection.run('INSERT INTO snapshots (conversation, snapshot) VALUES (?, ?) ON CONFLICT DO UPDATE SET snapshot = excluded.snapshot', [
        lane,
        JSON.stringify(fact.snapshot),
      ])
      break
  }
}
