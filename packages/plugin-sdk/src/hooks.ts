import type { AdapterFailure } from './adapter.js'
import type { Author, RoutedChat } from './addresses.js'
import type { AgentFailure, TurnOutcome } from './agent.js'
import type { InboundEvent } from './events.js'
import type { Awaitable, JsonObject } from './json.js'
import type { SendOutcome } from './messages.js'
import type { CallId, Finish, ModelRef, ResultPart, ToolStatus, TurnId, Usage } from './transcript.js'
import type { TurnRef, TurnState } from './turns.js'

/**
 * What a hook hands its taps, what they may answer, and how they are called: `async` taps may take their time, `sync` ones answer at
 * once, `queued` ones are called later, one payload after another.
 */
export interface Hook<Payload, Result = void, Mode extends 'async' | 'sync' | 'queued' = 'async'> {
  readonly payload: Readonly<Payload>
  readonly result: Result
  readonly mode: Mode
}

/** The name of a hook. */
export type HookName = keyof Hooks

/**
 * What a plugin hangs onto a hook. All taps run, lower `stage` first, then by registration; `null` and `undefined` are no answer. The
 * payload is shared with the other taps and frozen at its top: change nothing in it. The signal aborts when nobody waits for this call
 * any more: its time is over, or the plugin leaves; what comes of it later is ignored.
 */
export type HookTap<N extends HookName> = (
  payload: Hooks[N]['payload'],
  context: HookContext,
) => Hooks[N]['mode'] extends 'sync' ? Hooks[N]['result'] | null | undefined | void : Awaitable<Hooks[N]['result'] | null | undefined | void>

/** What a tap gets beside its payload. */
export interface HookContext {
  readonly signal: AbortSignal
}

/** What is to become of an event. `rewrite` replaces the text of a message, and is an `allow` for every other kind. */
export type DispatchDirective =
  | { readonly action: 'allow' }
  | { readonly action: 'skip'; readonly reason: string }
  | { readonly action: 'rewrite'; readonly text: string }

/** What is to become of a tool call. `approve`: a person is asked first, with `message` before the tool's own question. */
export type ToolDirective =
  | { readonly action: 'block'; readonly message: string }
  | { readonly action: 'approve'; readonly message?: string | undefined }
  | { readonly action: 'modify'; readonly input: JsonObject }

/** One call of a model. */
export interface ModelCall {
  readonly turn: TurnRef
  readonly model: ModelRef
  /** Counts the tries of one step, from 1. */
  readonly attempt: number
}

/** A tool call that is about to run. */
export interface ToolCall {
  readonly turn: TurnRef
  readonly callId: CallId
  readonly name: string
  readonly input: JsonObject
}

/** A tool call that is over, whether it ran or not. */
export interface FinishedToolCall extends ToolCall {
  readonly status: ToolStatus
  readonly parts: readonly ResultPart[]
  readonly durationMs: number
}

/**
 * The hooks of a gateway. A tap that fails, answers with something else or takes too long (30 s where nothing else is said) is left out;
 * after a time-out it is not called for 60 s.
 */
export interface Hooks {
  /**
   * An event of any kind came in; access is judged afterwards. The first answer decides; a tap that fails lets it pass. What is behind
   * the event in its session waits. After a crash it may be asked about the same event again. Time limit ten minutes.
   */
  preDispatch: Hook<{ event: InboundEvent; chat: RoutedChat }, DispatchDirective>
  /** A known command is about to run; it does not wait. Time limit ten minutes. */
  preCommand: Hook<{ name: string; args: string; author: Author; chat: RoutedChat; sessionKey: string }>
  /** A conversation begins, with its first turn. */
  sessionStart: Hook<{ sessionKey: string; chat: RoutedChat }>
  /** A conversation is over, and another one begins with the next message. */
  sessionEnd: Hook<{ sessionKey: string; chat: RoutedChat; reason: 'new' }>
  /**
   * A turn begins. All `context`s, joined by blank lines, go behind this turn's user message, never into the system prompt. They stay in
   * the conversation: later steps, the process that goes on after a crash and later turns read the same. What is longer than 100 000
   * characters goes into the media store, and the model reads its beginning.
   */
  turnStart: Hook<{ turn: TurnRef; text: string; isFirst: boolean }, { readonly context: string }>
  /** A turn is over; one that was parked is not. */
  turnEnd: Hook<{ turn: TurnRef; state: Exclude<TurnState, 'open'>; outcome: TurnOutcome; durationMs: number }>
  /** A model is about to be called: again, after a failure. It goes by the steps that the agent shows. Nobody waits for the tap. */
  preModelCall: Hook<ModelCall>
  /** It answered. Of a call that a stop cut off nobody hears the end. */
  postModelCall: Hook<ModelCall & { readonly durationMs: number; readonly finish: Finish; readonly usage: Usage }>
  /** It failed; what the provider said is told without secrets. */
  modelError: Hook<ModelCall & { readonly durationMs: number; readonly failure: AgentFailure; readonly willRetry: boolean }>
  /**
   * A tool is about to run. A `block` wins over an `approve`, the first of each counts; `modify` merges shallowly, and the next tap sees
   * the merged input, which the schema of the tool has to take. It fails closed: a tap that fails or is left out blocks the call. Not asked
   * about tools that an agent runs by itself; asked again about a call that is made again after a crash.
   */
  preToolCall: Hook<ToolCall, ToolDirective>
  /** A tool call is over, or was refused. Nobody waits for the tap. */
  postToolCall: Hook<FinishedToolCall>
  /** The first text replaces text and JSON of the result, before it is cut to its limit; media stay. Not for tools that an agent runs by itself. */
  transformToolResult: Hook<FinishedToolCall, string>
  /**
   * The first text that is not empty replaces the answer, for people and in the conversation alike. It is asked before the end of the turn is
   * written: what was streamed until then is replaced. Only an answer with a call that ended the turn stays in the conversation as the model
   * said it.
   */
  transformAnswer: Hook<{ turn: TurnRef; text: string }, string>
  /** The model writes. The queue of each tap has a bound: of a slow tap the oldest deltas are dropped and counted. */
  streamDelta: Hook<{ turn: TurnRef; kind: 'text' | 'reasoning'; text: string }, void, 'queued'>
  /** Is the final answer to be sent anew, rather than by an edit of what was streamed? The first boolean decides, else the adapter. */
  prefersFreshFinalStreaming: Hook<{ text: string; metadata: JsonObject; chatId: string; chat: RoutedChat }, boolean, 'sync'>
  /** A piece of a message went out, or did not. `isLast`: it is not tried again. Errors are told without secrets. */
  deliveryOutcome: Hook<{
    chat: RoutedChat
    /** Absent: it belongs to no turn. */
    turnId?: TurnId | undefined
    /** One piece keeps one key for ever. */
    key: string
    /** Which piece of its message, from 0 … */
    chunk: number
    /** … of how many. */
    chunks: number
    /** Calls of this piece as it is now, this one included. */
    attempt: number
    outcome: SendOutcome
    isLast: boolean
  }>
  /** Time limit 5 s. */
  adapterConnected: Hook<{ adapter: string; platform: string; isReconnect: boolean }>
  /** `nextAttemptAt`: milliseconds since the epoch; absent: it is not tried again. Time limit 5 s. */
  adapterFailed: Hook<{ adapter: string; platform: string; failure: AdapterFailure; nextAttemptAt?: number | undefined }>
}
