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
import { inboxColumns, laneRecord, type InboxColumns } from './inbox-commands.js'
import { findSession, waitsInLane } from './lanes.js'
import { addPieces } from './outbox-commands.js'

interface OpenTurn {
  readonly id: TurnId
  readonly startedAt: number
  readonly stop: StopReason | undefined
}

interface OpenTurnColumns {
  readonly id: TurnId
  readonly started_at: number
  readonly stop: string | null
}

interface TakenTurn {
  readonly turn: OpenTurn
  readonly items: readonly InboxColumns[]
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
    const taken = cutOff ? { turn: cutOff, items: itemsOf(connection, cutOff.id) } : openTurn(connection, args)
    if (!taken) return undefined
    const { epoch, session } = raiseEpoch(connection, args.lane)
    const transcript = !cutOff && args.known === epoch - 1 ? 'known' : undefined
    const { id, startedAt, stop } = taken.turn
    return { turn: id, lane: args.lane, epoch, session, items: taken.items.map(laneRecord), stop, startedAt, transcript }
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
    endLoneLane(connection, lane)
    const hasMore = oldestWaiting(connection, lane) !== undefined
    return { outcome: 'stored', outbox: addPieces(connection, kept.outbox, at), hasMore, isWhole: kept.facts.length === ending.facts.length }
  },
}

/** Of a conversation without a session nothing is left but the end of its turn. */
function endLoneLane(connection: Connection, lane: string): void {
  const { changes } = connection.run('DELETE FROM lanes WHERE conversation = ? AND session_key IS NULL', [lane])
  if (changes === 0) return
  for (const table of ['messages', 'states', 'snapshots']) connection.run(`DELETE FROM ${table} WHERE conversation = ?`, [lane])
}

function findOpenTurn(connection: Connection, lane: string): OpenTurn | undefined {
  const row = connection.row<OpenTurnColumns>(`SELECT id, started_at, stop FROM turns WHERE lane = ? AND state = 'open'`, [lane])
  return row && openTurnOf(row)
}

function openTurnOf({ id, started_at: startedAt, stop }: OpenTurnColumns): OpenTurn {
  return { id, startedAt, stop: stop === null ? undefined : (JSON.parse(stop) as StopReason) }
}

/** The open turn of a lane, if the epoch is the one that was claimed last. */
function fencedTurn(connection: Connection, lane: string, epoch: number): OpenTurn | undefined {
  const row = connection.row<OpenTurnColumns>(
    `SELECT id, turns.started_at, stop FROM turns, lanes WHERE lane = ? AND state = 'open' AND conversation = lane AND epoch = ?`,
    [lane, epoch],
  )
  return row && openTurnOf(row)
}

function oldestWaiting(connection: Connection, lane: string): InboxColumns | undefined {
  return connection.row<InboxColumns>(`SELECT ${inboxColumns} FROM inbox WHERE lane = ? AND ${waitsInLane} ORDER BY position LIMIT 1`, [lane])
}

function openTurn(connection: Connection, { lane, turn, at }: { lane: string; turn: string; at: number }): TakenTurn | undefined {
  const oldest = oldestWaiting(connection, lane)
  if (!oldest) return undefined
  connection.run('INSERT INTO turns (id, lane, started_at) VALUES (?, ?, ?)', [turn, lane, at])
  connection.run('UPDATE inbox SET turn = ? WHERE seq = ?', [turn, oldest.seq])
  return { turn: { id: turn as TurnId, startedAt: at, stop: undefined }, items: [oldest] }
}

function itemsOf(connection: Connection, turn: TurnId): readonly InboxColumns[] {
  const isOfTurn = 'turn = ? AND turn IS NOT NULL AND settled IS NULL'
  return connection.rows<InboxColumns>(`SELECT ${inboxColumns} FROM inbox WHERE ${isOfTurn} ORDER BY position`, [turn])
}

/** From now on nobody writes under an earlier epoch of the lane. */
function raiseEpoch(connection: Connection, lane: string): Pick<BareClaim, 'epoch' | 'session'> {
  const raised = connection.row<{ epoch: number; session_key: string | null }>(
    'UPDATE lanes SET epoch = epoch + 1 WHERE conversation = ? RETURNING epoch, session_key',
    [lane],
  )
  if (raised?.session_key === null) return { epoch: raised.epoch }
  const session = raised && findSession(connection, raised.session_key)
  if (!session) throw new Error(`conversation ${lane} has no session`)
  return { epoch: raised.epoch, session }
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
