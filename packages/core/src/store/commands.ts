import type { Answer, InboundEvent, RoutedChat, StopReason, TurnId, TurnOutcome } from '@hermes/plugin-sdk'
import type { CollectionName, DocumentWrite, StoredDocument } from './collection-records.js'
import type { Injection } from './injected-event.js'
import type { PairedPerson, PairingRecords, PairingRequest } from './pairing-records.js'
import type {
  InboxRecord,
  LaneRoute,
  LaneStatus,
  NewInboxRecord,
  NewOutboxRecord,
  OutboxRecord,
  RunOrder,
  SessionRecord,
  StoredOutcome,
  TurnClaim,
  TurnEnding,
  TurnFact,
} from './records.js'

/** A row of the inbox that leaves it without a turn, and why: `denied`, `command`, `edit`, … It stays known as a duplicate. */
export interface InboxSettlement {
  readonly seq: number
  readonly reason: string
}

/**
 * The commands of the store. `full`: on disk before the answer (survives a power cut); `normal`: survives the death of the process.
 *
 * A write with a stale epoch changes nothing and answers `stale`. Times are milliseconds since the epoch, given by the caller.
 */
export interface StoreCommands {
  // ── intake

  /**
   * Stores new events in order, all or none; a known (account, event id) is a duplicate. An event with a route goes to the end of its
   * lane at once, as by `session.route`; `conversation` says whose lane that is. Where the lane is full, the event and all of its key
   * behind it stay unrouted. full
   */
  'inbox.receive': {
    args: { adapter: string; account: string; events: readonly NewInboxRecord[]; at: number }
    result: readonly ({ receipt: 'stored'; seq: number; conversation?: string | undefined } | { receipt: 'duplicate' })[]
  }
  /** Rows that are neither in a lane nor settled, oldest first: what a crash left before routing. */
  'inbox.unrouted': { args: { after: number; limit: number }; result: readonly InboxRecord[] }
  /** Ends a row without a turn; a row that is in a lane or settled already is left alone. normal */
  'inbox.settle': { args: InboxSettlement & { at: number }; result: void }

  // ── sessions

  /**
   * Finds or makes the session and its conversation, and puts the row at the end of its lane. A row that is routed already stays
   * where it is. `event` takes the place of the stored one, with the lane; the rows `joined` are part of it and are settled. `full`: the
   * rows were left alone. `settled`: so is the row, or it was forgotten. normal
   */
  'session.route': {
    args: LaneRoute & { seq: number; at: number; event?: InboundEvent | undefined; joined?: readonly number[] | undefined }
    result: { outcome: 'queued'; conversation: string } | { outcome: 'full' | 'settled' }
  }
  /**
   * A chat has another address: the sessions whose key is `from`, or goes on behind it with a colon, get `to` in its place, and answer
   * there. A key that is taken already keeps what it leads to. The settlement belongs to the same transaction. full
   */
  'session.move': { args: { from: string; to: string; chat: RoutedChat; at: number; settles: InboxSettlement }; result: { moved: number } }
  /** Puts what a plugin says at the end of the lane that a known key leads to: a row as `injectedRecord` makes it. full */
  'session.inject': {
    args: Injection & { key: string; limit: number; at: number }
    result: { outcome: 'queued'; conversation: string } | { outcome: 'full' | 'no-session' }
  }
  'session.get': { args: { key: string }; result: { session: SessionRecord; lane: LaneStatus } | undefined }
  /**
   * Ends the conversation that the key leads to and begins `next`: waiting rows move to it in order, the generation rises. An open
   * turn of the old one is told to stop (`reset`) and will end as abandoned; until then its lane stays ready. When the key does not
   * lead to `conversation` (any more), nothing changes and the session is answered as it is. The settlement and the replies belong
   * to the same transaction. full
   */
  'session.renew': {
    args: {
      key: string
      conversation: string
      next: string
      reason: 'new' | 'reset' | 'idle' | 'daily'
      at: number
      settles?: InboxSettlement | undefined
      outbox: readonly NewOutboxRecord[]
    }
    result: { session: SessionRecord | undefined; isRenewed: boolean; outbox: readonly OutboxRecord[] }
  }

  // ── runs

  /**
   * Puts an order at the end of the lane that `key` leads to, or, without a key, into the lane of a new conversation `lane` that ends
   * with its turn. Known by (`by`, `id`) until it is forgotten: `waiting` in its lane or its turn, or `ended`. One that was taken out
   * again is not known. full
   */
  'run.add': {
    args: { order: RunOrder; key?: string | undefined; lane: string; limit: number; at: number }
    result:
      | { outcome: 'queued' | 'waiting'; lane: string }
      | { outcome: 'ended'; result: TurnOutcome }
      | { outcome: 'full' }
      | { outcome: 'no-session' }
  }
  /** Takes an order out of its lane, or tells its open turn to stop, as `turn.stop`; `none`: it is neither there nor in a turn. full */
  'run.stop': {
    args: { by: string; id: string; reason: StopReason; at: number }
    result: { outcome: 'withdrawn' } | { outcome: 'none' } | { outcome: 'stopping'; turn: TurnId; lane: string }
  }

  // ── turns

  /** Lanes with waiting rows or an open turn. */
  'lane.ready': { args: Record<never, never>; result: readonly string[] }
  /**
   * Raises the epoch and goes on with the lane's open turn, else opens `turn` for its oldest waiting row. `undefined`: nothing waits.
   * `known` is the epoch of the turn behind which the caller holds the whole transcript: where a new turn is opened and nobody claimed
   * the lane since, nothing was written but by the caller, and the transcript is answered as `known`. full, repeatable
   */
  'turn.claim': {
    args: { lane: string; turn: string; at: number; known?: number | undefined }
    result: TurnClaim | undefined
  }
  /**
   * Stores what happened in a turn, all or nothing. After a stop of the lane, facts with an answer or an intent are refused as
   * `stale`; results, states, questions, answers and snapshots are taken. normal
   */
  'turn.commit': { args: { lane: string; epoch: number; facts: readonly TurnFact[]; at: number }; result: 'stored' | 'stale' }
  /** The answer that the lane's open turn stored to a question, if there is one. */
  'turn.answered': { args: { lane: string; question: string }; result: Answer | undefined }
  /** Marks an open turn as told to stop; the first reason wins. `none`: no turn is open. full */
  'turn.stop': { args: { lane: string; reason: StopReason; at: number }; result: { outcome: 'stopping' | 'none'; turn?: TurnId | undefined } }
  /**
   * The end of a turn, in one transaction: last facts, outcome, state, outbox rows; its inbox rows are settled. A lane without a session ends with it, and
   * nothing of the conversation is left. After a stop the
   * answers and intents among the facts and the outbox rows that bear the turn's id are left out, and a stop that abandons makes
   * the state `abandoned`: the caller's outcome says `interrupted`. `hasMore`: the lane has waiting rows. `isWhole`: no fact was left
   * out. full
   */
  'turn.end': {
    args: { lane: string; epoch: number; ending: TurnEnding; at: number }
    result: { outcome: 'stored'; outbox: readonly OutboxRecord[]; hasMore: boolean; isWhole: boolean } | { outcome: 'stale' }
  }

  // ── delivery

  /** Puts pieces that belong to no turn's end (replies of commands, notices) into the outbox, and settles the row they answer. full */
  'outbox.add': { args: { rows: readonly NewOutboxRecord[]; settles?: InboxSettlement | undefined; at: number }; result: readonly OutboxRecord[] }
  /**
   * Rows that are `pending` or `attempting`, in order; of one adapter instance, or all. The rows of one `seq` are never torn apart,
   * so a page may hold a few more than `limit`.
   */
  'outbox.open': { args: { adapter?: string | undefined; after: number; limit: number }; result: readonly OutboxRecord[] }
  /** Marks a row before its call; `gone` when it is not pending. Attempts and refusals are counted by who postpones. full */
  'outbox.attempt': { args: { key: string; at: number }; result: 'attempting' | 'gone' }
  /** Ends a row; what is final stays as it is. `sent` may carry where it landed. normal, repeatable */
  'outbox.settle': { args: { key: string; state: 'sent' | 'dropped' | 'held'; outcome: StoredOutcome; at: number }; result: void }
  /** Makes a row that is not final pending again, with a new date and with changes that the outcome called for. normal */
  'outbox.postpone': {
    args: {
      key: string
      dueAt: number
      outcome: StoredOutcome
      changes?: Partial<Pick<OutboxRecord, 'message' | 'chat' | 'attempts' | 'refusals'>> | undefined
      at: number
    }
    result: void
  }
  /** Drops a row that is not final and puts smaller ones at its place in the order; of a final one nothing comes. normal */
  'outbox.replace': { args: { key: string; rows: readonly NewOutboxRecord[]; outcome: StoredOutcome; at: number }; result: readonly OutboxRecord[] }

  // ── pairing

  /** Everything, of every adapter instance; also what has expired and was not forgotten yet. */
  'pairing.list': { args: Record<never, never>; result: PairingRecords }
  /**
   * Stores a request in the place of an earlier one of the same person; the row that made it is settled in any case. No request: `paired`
   * already; `too-soon`, an earlier one was made after `quietSince`; `full`, `limit` others of the instance have not expired; `locked`. full
   */
  'pairing.request': {
    args: { request: PairingRequest; limit: number; quietSince: number; settles: InboxSettlement; at: number }
    result: 'stored' | 'paired' | 'too-soon' | 'full' | 'locked'
  }
  /**
   * Counts an attempt to approve by a code as failed, before anybody looks whether it fits, and hands out the requests that have not
   * expired. The `limit`-th in a row locks the instance until `lockedUntil`. full
   */
  'pairing.attempt': {
    args: { adapter: string; limit: number; lockedUntil: number; at: number }
    result: { outcome: 'open'; requests: readonly PairingRequest[] } | { outcome: 'locked'; until: number }
  }
  /** Lets in who made a request that has not expired: it is gone then, as are the failed attempts and the lock. full */
  'pairing.approve': {
    args: {
      adapter: string
      userId: string
      by?: string | undefined
      settles?: InboxSettlement | undefined
      outbox: readonly NewOutboxRecord[]
      at: number
    }
    result: { outcome: 'approved'; person: PairedPerson; outbox: readonly OutboxRecord[] } | { outcome: 'unknown' }
  }
  /** Takes the request and the admission of a person back; answers whether there was one. full */
  'pairing.revoke': { args: { adapter: string; userId: string }; result: boolean }

  // ── what plugins keep; what has expired `at` the time of a command is not there

  'collection.get': { args: CollectionName & { key: string; at: number }; result: StoredDocument | undefined }
  /** By key, as UTF-8 sorts. Keys have neither control characters nor U+10FFFF. */
  'collection.list': {
    args: CollectionName & { prefix: string; after?: string | undefined; limit: number; at: number }
    result: readonly StoredDocument[]
  }
  /**
   * All or nothing, and no key twice. `conflict`: an `ifVersion` is not the version that is there. Answers the versions that were written;
   * of a deletion the one that is gone, 0 where nothing was. full
   */
  'collection.write': {
    args: CollectionName & { writes: readonly DocumentWrite[]; at: number }
    result: { outcome: 'written'; versions: readonly number[] } | { outcome: 'conflict' }
  }

  // ── adapters

  /** Did this account connect before, ever? */
  'account.isKnown': { args: { platform: string; account: string }; result: boolean }
  /** From now on it did. full */
  'account.remember': { args: { platform: string; account: string; at: number }; result: void }

  // ── all of it

  /**
   * Forgets settled rows of the inbox that were received before, final rows of the outbox and ended turns that changed last before, and
   * what plugins kept until before; at most `limit` of each kind. Answers how many rows went: fewer than `limit`, and no more are left. Transcripts stay. normal
   */
  'store.forget': { args: { before: number; limit: number }; result: number }
}

export type StoreCommandName = keyof StoreCommands

/** Commands whose effect must be on disk before they are answered. */
export const fullyDurable: ReadonlySet<StoreCommandName> = new Set<StoreCommandName>([
  'inbox.receive',
  'session.move',
  'session.inject',
  'session.renew',
  'run.add',
  'run.stop',
  'turn.claim',
  'turn.stop',
  'turn.end',
  'outbox.add',
  'outbox.attempt',
  'pairing.request',
  'pairing.attempt',
  'pairing.approve',
  'pairing.revoke',
  'collection.write',
  'account.remember',
])

/**
 * Commands that need not be remembered by their ids: who gets no answer may send them again, and finds what it would have found. A
 * claim goes on with the turn that it opened, under a next epoch.
 */
export const repeatableCommands: ReadonlySet<StoreCommandName> = new Set<StoreCommandName>(['turn.claim', 'outbox.settle'])

/** Commands that change nothing. */
export const readingCommands: ReadonlySet<StoreCommandName> = new Set<StoreCommandName>([
  'inbox.unrouted',
  'session.get',
  'lane.ready',
  'turn.answered',
  'outbox.open',
  'pairing.list',
  'collection.get',
  'collection.list',
  'account.isKnown',
])
