import { appliedMemoryMs } from '../../store/index.js'
import type { SentCommand } from '../wire.js'
import type { Connection } from './connection.js'

/** What a command answered before. `result` is missing where it answered nothing. */
export interface AppliedCommand {
  readonly result?: unknown
}

/** The answer of a command that was applied before and is remembered. */
export function findApplied(connection: Connection, command: SentCommand): AppliedCommand | undefined {
  const row = connection.row<{ result: string | null }>('SELECT result FROM applied_commands WHERE id = ?', [command.id])
  if (!row) return undefined
  return row.result === null ? {} : { result: JSON.parse(row.result) }
}

/** Notes that a command was applied, in the transaction that applied it. */
export function rememberApplied(connection: Connection, command: SentCommand, { result, now }: { result: unknown; now: number }): void {
  const text = result === undefined ? null : JSON.stringify(result)
  connection.run('INSERT INTO applied_commands (id, result, applied_at) VALUES (?, ?, ?)', [command.id, text, now])
}

/** When a batch runs, milliseconds since the epoch by the clock of the store. */
export interface BatchTime {
  readonly now: number
  /** When the worker ran its first batch. */
  readonly began: number
}

/**
 * Forgets the oldest of what need not be remembered any more, at most `limit`. A worker that began lately forgets nothing: the
 * store may have been away for long, and what its last worker applied is sent again only now.
 */
export function forgetApplied(connection: Connection, { now, began }: BatchTime, limit: number): void {
  if (now - began < appliedMemoryMs) return
  connection.run(
    `DELETE FROM applied_commands
     WHERE number IN (SELECT number FROM applied_commands ORDER BY number LIMIT ?) AND applied_at < ?`,
    [limit, now - appliedMemoryMs],
  )
}
