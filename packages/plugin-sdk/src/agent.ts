import type { Awaitable, JsonValue } from './json.js'
import type { Clock } from './services.js'
import type { MediaStore } from './media.js'
import type { Answer, Question } from './questions.js'
import type { Tool, ToolResult } from './tool.js'
import type {
  AssistantMessage,
  CallId,
  Finish,
  JsonSchema,
  Message,
  ModelRef,
  New,
  SummaryMessage,
  ToolMessage,
  TurnId,
  Usage,
  UserMessage,
} from './transcript.js'

/**
 * An agent loop. `run` continues the transcript from its tail and yields events; returning ends the turn, throwing fails it.
 * The pull is the acknowledgement: the host asks for the next event only when the last one is handled and, if durable, committed.
 */
export interface AgentRuntime {
  readonly id: string
  /** It takes notes from `turn.inbox`; without it the host queues them. */
  readonly steers?: boolean | undefined
  /** What it brings into the prompt. The host stores the bytes with the conversation: a function is asked once per conversation. */
  readonly instructions?: string | ((context: { readonly lane: string }) => Awaitable<string>) | undefined
  /** Tools that it brings; they are listed and called through `turn.tools` like all others. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a list holds tools of any input; each checks its own
  readonly tools?: readonly Tool<any>[] | undefined
  /** Model calls of a turn, where the host sets no limit. */
  readonly maxSteps?: number | undefined
  run(turn: AgentTurn): AsyncIterable<RuntimeEvent>
  dispose?(): Promise<void>
}

/** A turn, as its runtime sees it. `messages` is live: read it anew for each step. */
export interface AgentTurn {
  readonly id: TurnId
  readonly lane: string
  readonly epoch: number
  readonly system: string
  /** Valid and complete: no open call, the tail is a user or tool message. */
  readonly messages: readonly Message[]
  /** The tail that this turn answers. */
  readonly input: readonly UserMessage[]
  readonly tools: ToolBox
  readonly inbox: Inbox
  readonly budget: StepBudget
  readonly media: MediaStore
  /** Waits inside a turn use it: retries, polls. */
  readonly clock: Clock
  /** Its reason is a `StopReason`. */
  readonly signal: AbortSignal
  /** What this runtime stored by `state-set`. */
  readonly state?: JsonValue | undefined
  /**
   * Asks a person, who may take days: the answer is stored before it is given. Never rejects but with `value.invalid`, for a question
   * of a wrong shape.
   */
  ask(question: Question): Promise<Answer>
}

/** The tools of a turn. */
export interface ToolBox {
  /** By name; byte-stable for the conversation. */
  readonly list: readonly ToolListing[]
  /** The whole walk of a call: never throws, never hangs. */
  call(call: { readonly callId: string; readonly name: string; readonly input: unknown }): Promise<ToolMessage>
}
export interface ToolListing {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

/** Notes for a running turn. Taken is not delivered: only the note's `message-add` delivers it. */
export interface Inbox {
  take(): readonly UserMessage[]
  arrived(): Promise<void>
}

/** Model calls that are left. */
export interface StepBudget {
  readonly remaining: number
  /** Before each model call; `false`: none is left. */
  take(): boolean
  refund(): void
}

/** Why a turn is to end: `disconnect`, who ran it is gone. `abandons`: what it started may be reaped. */
export interface StopReason {
  readonly kind: 'stop' | 'reset' | 'disconnect' | 'shutdown' | 'lost'
  readonly abandons: boolean
}

/**
 * What a runtime may yield. The three of `tool-start`, `tool-progress` and `tool-end` are for tools that it runs itself; calls that go
 * through `turn.tools` are shown by the host. A summary hides what it covers from the model. A `notice-post` tells people something by
 * its code. What a sub-agent does comes inside of `agent-event` alone: nobody takes a child's words for the parent's.
 */
export type RuntimeEvent =
  | { readonly type: 'step-start'; readonly model: ModelRef }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly text: string }
  | { readonly type: 'text-end' | 'reasoning-end'; readonly id: string }
  | { readonly type: 'tool-input-start'; readonly callId: string; readonly name: string }
  | { readonly type: 'step-end'; readonly finish: Finish; readonly usage: Usage }
  | { readonly type: 'message-add'; readonly message: UserMessage | New<AssistantMessage> | New<SummaryMessage> }
  | { readonly type: 'state-set'; readonly state: JsonValue }
  | { readonly type: 'tool-start'; readonly callId: string; readonly name: string; readonly input: JsonValue }
  | { readonly type: 'tool-progress'; readonly callId: string; readonly update: ToolResult }
  | { readonly type: 'tool-end'; readonly result: New<ToolMessage> }
  | { readonly type: 'retry-wait'; readonly failure: AgentFailure; readonly attempt: number; readonly delayMs: number }
  | { readonly type: 'model-change'; readonly from: ModelRef; readonly to: ModelRef; readonly failure?: AgentFailure | undefined }
  | { readonly type: 'compaction-start'; readonly reason: 'threshold' | 'overflow' | 'manual' | 'idle' }
  | { readonly type: 'compaction-end'; readonly outcome: 'done' | 'nothing' | 'declined' | 'failed' | 'aborted' }
  | { readonly type: 'notice-post'; readonly code: string; readonly values?: { readonly [key: string]: string | number } | undefined }
  | {
      readonly type: 'agent-event'
      readonly agent: { readonly id: string; readonly goal: string; readonly depth: number }
      readonly event: AgentEvent
    }

/** What everybody sees. `turn-start` is first and `turn-end` last, each exactly once; a life that was parked or lost shows no end. */
export type AgentEvent =
  | Exclude<RuntimeEvent, { type: 'message-add' | 'tool-start' | 'tool-progress' | 'tool-end' }>
  | { readonly type: 'turn-start'; readonly turn: TurnId; readonly epoch: number }
  | { readonly type: 'message-add'; readonly message: Message }
  | { readonly type: 'tool-start'; readonly callId: CallId; readonly name: string; readonly input: JsonValue }
  | { readonly type: 'tool-progress'; readonly callId: CallId; readonly update: ToolResult }
  | { readonly type: 'tool-end'; readonly message: ToolMessage }
  | { readonly type: 'question-open'; readonly question: Question }
  | { readonly type: 'question-close'; readonly id: string; readonly answer: Answer }
  | { readonly type: 'turn-end'; readonly outcome: TurnOutcome }

/**
 * How a turn ended. `completed`: the model ended it. `stopped`: a limit. `interrupted`: a stop, or a crash while a tool ran.
 * `failed`: an error after all retries. `parked`: this process ends, the turn does not.
 */
export interface TurnOutcome {
  readonly status: 'completed' | 'stopped' | 'interrupted' | 'failed' | 'parked'
  /** An answer, never an error. */
  readonly text: string
  /** Model calls. */
  readonly steps: number
  readonly usage: Usage
  readonly failure?: AgentFailure | undefined
  readonly limit?: 'steps' | 'length' | undefined
  readonly stop?: StopReason | undefined
}

/** What went wrong with a model or a runtime, classified. */
export interface AgentFailure {
  readonly reason: FailureReason
  readonly message: string
  /** HTTP status. */
  readonly status?: number | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}
/**
 * `billing`: an account is empty. `policy-blocked`: settings of the account forbid the model. `content-policy`: the provider refuses
 * what was said. `model-not-found`: no such model for this key. `replay-refused`: the provider refuses what it once gave for replay.
 * `format-error`: it refuses the request's form. `runtime`: no model's failure, but one of the agent's or the host's code.
 */
export type FailureReason =
  | 'auth'
  | 'billing'
  | 'rate-limit'
  | 'overloaded'
  | 'server-error'
  | 'timeout'
  | 'context-overflow'
  | 'payload-too-large'
  | 'image-too-large'
  | 'model-not-found'
  | 'policy-blocked'
  | 'content-policy'
  | 'format-error'
  | 'replay-refused'
  | 'empty-response'
  | 'runtime'
  | 'unknown'
