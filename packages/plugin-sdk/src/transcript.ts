import type { JsonObject, JsonValue } from './json.js'

declare const brand: unique symbol
type Id<Kind extends string> = string & { readonly [brand]: Kind }

/** Names a turn over all its lives. */
export type TurnId = Id<'turn'>
export type MessageId = Id<'message'>
/** Unique in a conversation. */
export type CallId = Id<'call'>
/** A JSON Schema, draft 2020-12 or 7. */
export type JsonSchema = JsonObject

interface Stamp {
  readonly id: MessageId
  readonly turn: TurnId
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** A message that the host has not stamped yet. */
export type New<M> = M extends Stamp ? Omit<M, keyof Stamp> : never

/** One record of a conversation. Stored records are never rewritten. */
export type Message = UserMessage | AssistantMessage | ToolMessage | SummaryMessage

export interface UserMessage extends Stamp {
  readonly role: 'user'
  /** `steer`: a note that reached a running turn. */
  readonly origin: 'person' | 'steer' | 'event'
  readonly parts: readonly (TextPart | MediaPart)[]
}

/** An answer of the model, whole: one that was cut off leaves nothing. */
export interface AssistantMessage extends Stamp {
  readonly role: 'assistant'
  readonly model: ModelRef
  readonly finish: Finish
  readonly usage?: Usage | undefined
  readonly parts: readonly (TextPart | ReasoningPart | CallPart)[]
}

/** The one result of a call. */
export interface ToolMessage extends Stamp {
  readonly role: 'tool'
  readonly callId: CallId
  readonly name: string
  readonly status: ToolStatus
  readonly parts: readonly ResultPart[]
  readonly endsTurn?: boolean | undefined
  readonly durationMs?: number | undefined
}

/** What the model reads in place of older messages. Those stay stored. */
export interface SummaryMessage extends Stamp {
  readonly role: 'summary'
  readonly parts: readonly TextPart[]
  /** The first and the last message that it stands for, as the model read them before. */
  readonly covers: { readonly from: MessageId; readonly to: MessageId }
}

/**
 * `skipped`: never started. `interrupted`: started and told to stop, may have had effects. `unknown`: started, and the process
 * died. `denied`: refused.
 */
export type ToolStatus = 'ok' | 'error' | 'denied' | 'skipped' | 'interrupted' | 'unknown'
export type Finish = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'other'

/** What a provider wants back (signatures, encrypted reasoning); it goes to the same issuer only. */
export interface Replay {
  readonly issuer: string
  readonly data: JsonValue
}
export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly replay?: Replay | undefined
}
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly replay?: Replay | undefined
}
export interface CallPart {
  readonly type: 'tool-call'
  readonly callId: CallId
  readonly name: string
  readonly input: JsonValue
  /** What the model wrote, where it is no JSON; `input` is `null` then. */
  readonly unparsed?: string | undefined
  readonly replay?: Replay | undefined
}
export interface MediaPart {
  readonly type: 'media'
  readonly media: MediaRef
}
/** Bytes live in the media store; a message holds a reference. */
export interface MediaRef {
  readonly ref: string
  readonly mediaType: string
  readonly bytes?: number | undefined
  readonly name?: string | undefined
}
export type ResultPart = TextPart | MediaPart | { readonly type: 'json'; readonly value: JsonValue }

export interface ModelRef {
  readonly provider: string
  readonly model: string
}
/** Tokens. `input` is what was neither read from nor written to a cache. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly reasoning: number
}
