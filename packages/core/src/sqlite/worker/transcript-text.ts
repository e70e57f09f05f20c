import type { TurnId } from '@hermes/plugin-sdk'
import type { Connection } from './connection.js'

/** The `Transcript` of a conversation with an open turn, as JSON. It is stored as JSON and handed out as such, never parsed here. */
export function transcriptText(connection: Connection, lane: string, turn: TurnId): string {
  const messages = connection.texts('SELECT message FROM messages WHERE conversation = ? ORDER BY seq', [lane])
  const intents = connection.texts('SELECT intent FROM intents WHERE turn = ? ORDER BY seq', [turn])
  const states = connection
    .rows<{ runtime: string; state: string }>('SELECT runtime, state FROM states WHERE conversation = ?', [lane])
    .map(({ runtime, state }) => `${JSON.stringify(runtime)}:${state}`)
  const stored = connection.row<{ snapshot: string }>('SELECT snapshot FROM snapshots WHERE conversation = ?', [lane])
  const snapshot = stored ? `,"snapshot":${stored.snapshot}` : ''
  return `{"messages":[${messages.join(',')}],"intents":[${intents.join(',')}],"states":{${states.join(',')}}${snapshot}}`
}
