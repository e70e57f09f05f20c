import type { SentCommand } from '../wire.js'
import type { Connection } from './connection.js'

const rememberedMs = 24 * 60 * 60 * 1000
const forgottenAtOnce = 10_000

/** What a command answered before. `result` is missing where it answered nothing. */
export interface AppliedCommand {
  readonly result?: unknown
}

/** The answer of a command that was applied in the last 24 hours. */
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

/** Forgets the oldest of what need not be remembered any more. */
export function forgetApplied(connection: Connection, now: number): void {
  connection.run(
    `DELETE FROM applied_commands
     WHERE number IN (SELECT number FROM applied_commands ORDER BY number LIMIT ${forgottenAtOnce}) AND applied_at < ?`,
    [now - rememberedMs],
  )
}
