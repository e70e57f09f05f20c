import type {
  Answer,
  InboundEvent,
  JsonValue,
  Message,
  RoutedChat,
  SendOutcome,
  StopReason,
  ToolListing,
  TurnId,
  TurnOutcome,
  TurnState,
  OutboundMessage,
  Question,
} from '@hermes/plugin-sdk'

/** An event as it was received. `seq` is the order of receipt over all adapters. */
export interface InboxRecord {
  readonly seq: number
  /** Instance name of the adapter. */
  readonly adapter: string
  readonly event: InboundEvent
  readonly receivedAt: number
}

/** What an application or a plugin asked the agent, apart from all platforms. */
export interface RunOrder {
  /** Who asks: `plugin:<id>` or `gateway`. */
  readonly by: string
  /** Unique among the orders of whoever asks. */
  readonly id: string
  readonly input: string
  /** Whoever asked may come back for it, also to another process. */
  readonly isKeyed: boolean
}

/** An order as it waits in a lane, in one order with the events there. */
export interface RunRecord {
  readonly seq: number
  readonly run: RunOrder
  readonly receivedAt: number
}

/** What waits in a lane. */
export type LaneRecord = InboxRecord | RunRecord

/** An event to be stored, and its lane where that is known already. */
export interface NewInboxRecord {
  readonly event: InboundEvent
  readonly route?: LaneRoute | undefined
}

/** The way to the lane that a session key leads to. */
export interface LaneRoute {
  readonly key: string
  /** Id of the conversation that begins where the key leads to none yet: a new one. */
  readonly conversation: string
  /** Where answers of the session go from now on. */
  readonly chat: RoutedChat
  /** The lane is full when so many rows wait in it. */
  readonly limit: number
}

/** Which conversation a session key leads to. A conversation's id is the name of its lane. */
export interface SessionRecord {
  readonly key: string
  readonly conversation: string
  /** Where its answers go; the newest address wins. */
  readonly chat: RoutedChat
  /** Raised once for every boundary really written; never falls, never repeats. */
  readonly generation: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** The exact bytes that open every request of a conversation, and a hash of the settings that they came from. */
export interface PromptSnapshot {
  readonly hash: string
  readonly system: string
  readonly tools: readonly ToolListing[]
}

/** Something of a turn that must survive a crash. */
export type TurnFact =
  /** `closes`: an answer that the host made so that calls which had begun have one; it is taken after a stop as well. */
  | { readonly kind: 'message'; readonly message: Message; readonly closes?: true | undefined }
  | { readonly kind: 'intent'; readonly callId: string; readonly name: string; readonly input: JsonValue }
  | { readonly kind: 'state'; readonly runtime: string; readonly state: JsonValue }
  | { readonly kind: 'snapshot'; readonly snapshot: PromptSnapshot }
  /** Asked again by a later life, it takes the place of the earlier one; an answer that is stored stays. */
  | { readonly kind: 'question'; readonly question: Question }
  /** The first answer to a question counts. */
  | { readonly kind: 'answer'; readonly id: string; readonly answer: Answer }

/** A call that was about to start. */
export interface ToolIntent {
  readonly turn: TurnId
  readonly callId: string
  readonly name: string
  readonly input: JsonValue
}

/** All that a life of a turn starts from. */
export interface TurnClaim {
  readonly turn: TurnId
  readonly lane: string
  readonly epoch: number
  /** Of the lane's key. It leads elsewhere when the conversation was renewed under the turn. A lane of a run without a session has none. */
  readonly session?: SessionRecord | undefined
  /** What this turn answers, in order. They become user messages of the turn, unless an earlier life stored those already. */
  readonly items: readonly LaneRecord[]
  /** The turn was told to stop before this life began: it only has to be ended. */
  readonly stop?: StopReason | undefined
  readonly startedAt: number
  /** `known`: no intents, and all else as the caller holds it. */
  readonly transcript: Transcript | 'known'
}

/** A conversation as stored. */
export interface Transcript {
  /** In order of their storing; results of one batch may stand in another order than its calls. */
  readonly messages: readonly Message[]
  /** Of the open turn only. */
  readonly intents: readonly ToolIntent[]
  readonly states: { readonly [runtime: string]: JsonValue }
  readonly snapshot?: PromptSnapshot | undefined
}

/** One piece of something said, to be shown in one message. */
export interface OutboxRecord {
  /** 24 characters of base32, the same for ever. */
  readonly key: string
  /** Order of the pieces over the whole store, given by the store; pieces that replaced one share its `seq` and stand at its place. */
  readonly seq: number
  readonly chat: RoutedChat
  readonly turn?: TurnId | undefined
  readonly lane?: string | undefined
  readonly message: OutboundMessage
  /** Place of the piece in what was said: 0 of 3. */
  readonly piece: { readonly index: number; readonly count: number }
  readonly state: OutboxState
  /** Calls that may have been seen by people. A certain refusal takes none. */
  readonly attempts: number
  /** Certain refusals in a row: the rung of the ladder. */
  readonly refusals: number
  /** Not to be sent before, milliseconds since the epoch. */
  readonly dueAt: number
  readonly outcome?: StoredOutcome | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

/**
 * `pending`: due at its date. `attempting`: a call may be under way; after a restart that counts as unknown.
 * `held`: unknown and not to be repeated; an operator decides. `sent` and `dropped` are final.
 */
export type OutboxState = 'pending' | 'attempting' | 'held' | 'sent' | 'dropped'

/** A send outcome without its cause. */
export type StoredOutcome = Omit<SendOutcome, 'cause'> & JsonValue

/** A piece as the delivery hands it to the store. */
export type NewOutboxRecord = Pick<OutboxRecord, 'key' | 'chat' | 'turn' | 'lane' | 'message' | 'piece' | 'dueAt'> & {
  /** `attempting` where the call follows at once. */
  readonly state: 'pending' | 'attempting'
  /** Those of the piece that this one is a part of; default 0. */
  readonly attempts?: number | undefined
}

/** How a turn ended, and what follows in the same transaction. */
export interface TurnEnding {
  readonly outcome: TurnOutcome
  readonly state: Exclude<TurnState, 'open'>
  readonly facts: readonly TurnFact[]
  readonly outbox: readonly NewOutboxRecord[]
}

/** What `/status` shows of a lane. */
export interface LaneStatus {
  readonly conversation: string
  readonly epoch: number
  readonly messages: number
  readonly waiting: number
  readonly openTurn?: TurnId | undefined
  readonly startedAt: number
}
