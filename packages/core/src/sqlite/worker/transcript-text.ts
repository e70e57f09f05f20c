import type { TurnId } from '@hermes/plugin-sdk'
import type { Connection } from './connection.js'

/** The `Transcript` of a conversation with an open turn, as JSON. It is stored as JSON and handed out as such, never parsed here. */
export function transcriptText(connection: Connection, lane: string, turn: TurnId): string {
  const messages = listText(connection, "SELECT group_concat(message, ',' ORDER BY seq) AS texts FROM messages WHERE conversation = ?", lane)
  const intents = listText(connection, "SELECT group_concat(intent, ',' ORDER BY seq) AS texts FROM intents WHERE turn = ?", turn)
  const states = connection
    .rows<{ runtime: string; state: string }>('SELECT runtime, state FROM states WHERE conversation = ?', [lane])
    .map(({ runtime, state }) => `${JSON.stringify(runtime)}:${state}`)
  const stored = connection.row<{ snapshot: string }>('SELECT snapshot FROM snapshots WHERE conversation = ?', [lane])
  const snapshot = stored ? `,"snapshot":${stored.snapshot}` : ''
  return `{"messages":${messages},"intents":${intents},"states":{${states.join(',')}}${snapshot}}`
}

// Joined by SQLite: one string instead of a row object for every message.
function listText(connection: Connection, sql: string, key: string): string {
  return `[${connection.row<{ texts: string | null }>(sql, [key])?.texts ?? ''}]`
}
