import type {
  AgentEvent,
  Attachment,
  Answer,
  Clock,
  Logger,
  MediaPart,
  RoutedChat,
  TextPart,
  TurnId,
  TurnOutcome,
  TurnRef,
  UserMessage,
} from '@hermes/plugin-sdk'
import type { HookBus } from '../hooks/index.js'
import type { Ids } from '../kernel/index.js'
import type { NewOutboxRecord, OutboxRecord, PromptSnapshot, StateStore, Transcript, TurnFact } from '../store/index.js'
import type { LaneDispatch } from './lane-dispatch.js'

/** Where the facts of a turn go. Both reject with `turn.closed` when this life of the turn has lost its right to write. */
export interface TurnJournal {
  commit(facts: readonly TurnFact[]): Promise<void>
  end(outcome: TurnOutcome, facts: readonly TurnFact[]): Promise<void>
  /** The answer that this turn stored to a question, if there is one. */
  answered(questionId: string): Promise<Answer | undefined>
}

/** A turn that is to be run. */
export interface TurnStart {
  readonly turn: TurnRef
  /** As stored. */
  readonly transcript: Transcript
  /** What the turn answers, where it is not in the transcript yet: the engine writes it with the first facts. */
  readonly opening: readonly UserMessage[]
  readonly journal: TurnJournal
  /** A rejection fails the turn. */
  readonly snapshot: Promise<PromptSnapshot>
  /** Somebody hears of questions and may answer them; else each is `unanswered` at once. */
  readonly canAnswer: boolean
}

/** A running turn. Neither rejects. */
export interface RunningTurn {
  readonly events: AsyncIterable<AgentEvent>
  readonly result: Promise<{ readonly outcome: TurnOutcome }>
  /** `false`: no such question is open, or this is no answer to it. */
  answer(questionId: string, answer: Answer): boolean
}

/** What the turns need of the engine. */
export interface TurnEngine {
  /** The bytes that open every request of the conversation: the stored ones, unless the settings changed. */
  prepare(lane: string, stored: PromptSnapshot | undefined): Promise<PromptSnapshot>
  start(turn: TurnStart): RunningTurn
}

/** One answer while it grows. */
export interface LiveAnswer {
  follow(events: AsyncIterable<AgentEvent>): Promise<void>
  /** Hands over the stored pieces of the final answer; without pieces, what is on screen stays. Only the first call counts. */
  finish(rows: readonly OutboxRecord[]): void
}

/** What the turns need of the delivery. */
export interface TurnDelivery {
  compose(
    chat: RoutedChat,
    text: string,
    about: { readonly turn: TurnId; readonly lane: string; readonly replyTo?: string | undefined },
  ): readonly NewOutboxRecord[]
  live(turn: TurnRef & { readonly chat: RoutedChat }, replyTo: string | undefined): LiveAnswer
}

/** What the turns need to bring in what came along with a message. */
export interface TurnFiles {
  /** The file, or a line that says why it is not there. Never rejects. */
  fetch(adapter: string, attachment: Attachment, signal: AbortSignal): Promise<MediaPart | TextPart>
}

/** What the turns need of the house. */
export interface TurnPorts {
  readonly store: StateStore
  readonly engine: TurnEngine
  readonly delivery: TurnDelivery
  readonly files: TurnFiles
  readonly dispatch: LaneDispatch
  readonly hooks: Pick<HookBus, 'tell'>
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Messages and runs that may wait in one conversation. */
  readonly waitingLimit: number
  /** Resolves when the store is open; rejects when it will not be any more. */
  readonly whenOpen: Promise<void>
  /** A row stands in a lane that no platform delivered. */
  onStored(): void
  /** Hears how many rows of the lanes were taken up. */
  onTaken(rows: number): void
}
