import type { Logger, SendOutcome } from '@hermes/plugin-sdk'
import type { OutboxRecord } from '../store/index.js'
import type { NextStep } from './outcome-policy.js'

/** Says in the log how a call ended and what follows. What people were to read and will not is an error; their text stays out of it. */
export function reportOutcome(logger: Logger, row: OutboxRecord, { outcome, step }: { outcome: SendOutcome; step: NextStep }): void {
  const { adapter, chatId, threadId } = row.chat
  const fields = { adapter, chatId, threadId, key: row.key, turn: row.turn, piece: row.piece, attempts: row.attempts, ...describe(outcome) }
  switch (step.kind) {
    case 'settle':
      return reportEnd(logger, fields, step.state)
    case 'wait':
      return logger.warn({ ...fields, dueAt: step.dueAt }, 'A message cannot be sent yet; it waits for its date.')
    case 'repeat':
    case 'plain':
      return logger.warn(fields, 'A message was not taken as it was; it is sent again.')
    case 'split':
      return logger.warn({ ...fields, limit: step.size.limit }, 'A message is too long for its chat; it is split.')
    case 'reconnect':
      return logger.error(fields, `Adapter ${adapter} has no valid credentials; the message waits for the next connection.`)
  }
}

function reportEnd(logger: Logger, fields: object, state: 'sent' | 'dropped' | 'held'): void {
  if (state === 'sent') logger.debug(fields, 'A message was sent.')
  else if (state === 'dropped') logger.error(fields, 'A message was given up: its chat certainly did not get it.')
  else logger.error(fields, 'A message is held: its chat may have got it or not. It is not sent again; look into the chat and decide.')
}

function describe(outcome: SendOutcome): object {
  switch (outcome.status) {
    case 'sent':
      return { status: outcome.status, ids: outcome.ids }
    case 'unknown':
      return { status: outcome.status, detail: outcome.detail, error: outcome.cause }
    case 'rejected':
      return { status: outcome.status, reason: outcome.reason, detail: outcome.detail, error: outcome.cause }
  }
}
