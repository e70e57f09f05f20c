import type { NewOutboxRecord, OutboxRecord } from './records.js'

/** A piece as it stands in the outbox for the first time. */
export function newOutboxRecord(row: NewOutboxRecord, { seq, at }: { readonly seq: number; readonly at: number }): OutboxRecord {
  return { ...row, seq, attempts: row.attempts ?? 0, refusals: 0, createdAt: at, updatedAt: at }
}
