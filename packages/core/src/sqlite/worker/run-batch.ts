import { fullyDurable, readingCommands, repeatableCommands } from '../../store/index.js'
import type { Answer, SentCommand, StoreFailure } from '../wire.js'
import { accountCommands } from './account-commands.js'
import { findApplied, forgetApplied, rememberApplied, type BatchTime } from './applied-commands.js'
import type { Connection } from './connection.js'
import { failed, isWholeTransaction } from './driver-failure.js'
import { collectionCommands } from './collection-commands.js'
import { inboxCommands } from './inbox-commands.js'
import { outboxCommands } from './outbox-commands.js'
import { pairingCommands } from './pairing-commands.js'
import { runCommands } from './run-commands.js'
import { sessionCommands } from './session-commands.js'
import { storeCommands } from './store-commands.js'
import { transcriptText } from './transcript-text.js'
import { turnCommands, type BareClaim } from './turn-commands.js'

const handlers = {
  ...inboxCommands,
  ...sessionCommands,
  ...runCommands,
  ...turnCommands,
  ...outboxCommands,
  ...pairingCommands,
  ...collectionCommands,
  ...accountCommands,
  ...storeCommands,
}

/**
 * Runs commands in order, in one transaction; a command that fails takes back its own changes only. The answers, each an
 * `Answer` as JSON, are true once this function returns. Throws, with nothing changed, what concerns the whole transaction: a lock, the disk, the file.
 */
export function runBatch(connection: Connection, commands: readonly SentCommand[], time: BatchTime): readonly string[] {
  const isReading = isReadOnly(commands)
  if (!isReading) connection.setSynchronous(commands.some((command) => fullyDurable.has(command.name)) ? 'FULL' : 'NORMAL')
  connection.run(isReading ? 'BEGIN' : 'BEGIN IMMEDIATE')
  try {
    const answers = commands.map((command) => runCommand(connection, command, time.now))
    // Twice as many as came: the table shrinks as fast as it grew.
    if (!isReading) forgetApplied(connection, time, 2 * commands.length)
    connection.run('COMMIT')
    return answers
  } catch (error) {
    if (connection.isInTransaction) connection.run('ROLLBACK')
    throw error
  }
}

/** A batch that changes nothing needs no lock and makes no commit. */
export function isReadOnly(commands: readonly SentCommand[]): boolean {
  return commands.every((command) => readingCommands.has(command.name))
}

function runCommand(connection: Connection, command: SentCommand, now: number): string {
  connection.run('SAVEPOINT command')
  try {
    const isRepeatable = readingCommands.has(command.name) || repeatableCommands.has(command.name)
    const result = isRepeatable ? handle(connection, command) : applyOnce(connection, command, now)
    const text = resultText(connection, command, result)
    connection.run('RELEASE command')
    return `{"number":${command.number}${text === undefined ? '' : `,"result":${text}`}}`
  } catch (error) {
    if (isWholeTransaction(error)) throw error
    connection.run('ROLLBACK TO command')
    connection.run('RELEASE command')
    return failureText(command, failed(command.name, error))
  }
}

function applyOnce(connection: Connection, command: SentCommand, now: number): unknown {
  const applied = findApplied(connection, command)
  if (applied) return applied.result
  const result = handle(connection, command)
  rememberApplied(connection, command, { result, now })
  return result
}

function handle(connection: Connection, command: SentCommand): unknown {
  const handler = handlers[command.name] as (connection: Connection, args: unknown) => unknown
  return handler(connection, command.args)
}

function resultText(connection: Connection, command: SentCommand, result: unknown): string | undefined {
  if (result === undefined) return undefined
  const text = JSON.stringify(result)
  if (command.name !== 'turn.claim') return text
  const claim = result as BareClaim
  if (claim.transcript === 'known') return text
  return `${text.slice(0, -1)},"transcript":${transcriptText(connection, claim.lane, claim.turn)}}`
}

/** An answer that says why a command was not run. */
export function failureText({ number }: SentCommand, failure: StoreFailure): string {
  const answer: Answer = { number, failure }
  return JSON.stringify(answer)
}
