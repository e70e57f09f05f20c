import type { Answer, JsonValue, Message, Question, StopReason, TurnId, TurnOutcome } from '@hermes/plugin-sdk'
import type { PairedPerson, PairingRequest } from '../pairing-records.js'
import type { LaneRecord, OutboxRecord, PromptSnapshot, SessionRecord, ToolIntent } from '../records.js'

/** An event or an order, and where it is. Neither in a lane nor settled: unrouted, which no order ever is. */
export interface InboxRow {
  record: LaneRecord
  /** Account and event id: what makes a second delivery a duplicate. */
  readonly identity: string
  lane?: string
  settled?: string
  /** Of the turn that answered it, where it is an order. */
  outcome?: TurnOutcome
}

/** A turn that has not ended. */
export interface OpenTurn {
  readonly id: TurnId
  readonly startedAt: number
  readonly items: readonly InboxRow[]
  readonly intents: ToolIntent[]
  readonly questions: Map<string, { question: Question; answer?: Answer }>
  stop?: StopReason
}

/** A conversation, and what waits for it. */
export interface LaneRow {
  readonly conversation: string
  /** Absent: that of a run without a session. */
  sessionKey?: string | undefined
  readonly startedAt: number
  readonly messages: Message[]
  readonly states: Map<string, JsonValue>
  waiting: InboxRow[]
  epoch: number
  snapshot?: PromptSnapshot
  openTurn?: OpenTurn
}

/** A value that a plugin keeps. */
export interface DocumentRow {
  readonly value: string
  readonly version: number
  readonly expiresAt?: number | undefined
}

/** All that a memory store holds. */
export interface Tables {
  readonly inbox: Map<number, InboxRow>
  readonly unrouted: Map<number, InboxRow>
  readonly known: Map<string, InboxRow>
  readonly sessions: Map<string, SessionRecord>
  readonly lanes: Map<string, LaneRow>
  /** Every piece by its key. */
  readonly pieces: Map<string, OutboxRecord>
  /** Keys of the pieces that are not final; the pieces of one `seq` in the order in which they are shown. */
  readonly openPieces: Map<number, string[]>
  readonly accounts: Set<string>
  /** By adapter instance and person, as `paired`. */
  readonly pairingRequests: Map<string, PairingRequest>
  readonly paired: Map<string, PairedPerson>
  /** Failed attempts in a row, and the lock that they led to, by adapter instance. */
  readonly pairingGuards: Map<string, { readonly failures: number; readonly lockedUntil?: number | undefined }>
  /** By plugin and collection, then by key. */
  readonly collections: Map<string, Map<string, DocumentRow>>
  lastDocumentVersion: number
  lastInboxSeq: number
  lastOutboxSeq: number
}

/** Nothing remembered yet. */
export function emptyTables(): Tables {
  return {
    inbox: new Map(),
    unrouted: new Map(),
    known: new Map(),
    sessions: new Map(),
    lanes: new Map(),
    pieces: new Map(),
    openPieces: new Map(),
    accounts: new Set(),
    pairingRequests: new Map(),
    paired: new Map(),
    pairingGuards: new Map(),
    collections: new Map(),
    lastDocumentVersion: 0,
    lastInboxSeq: 0,
    lastOutboxSeq: 0,
  }
}
