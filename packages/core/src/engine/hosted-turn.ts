import type { AgentRuntime, Clock, JsonValue, Logger, MediaStore, Message, TurnRef, UserMessage } from '@hermes/plugin-sdk'
import type { CallRecord } from '../hooks/index.js'
import type { Ids } from '../kernel/index.js'
import type { PromptSnapshot, ToolIntent } from '../store/index.js'
import type { AnyTool } from './any-tool.js'
import type { TurnHooks } from './turn-hooks.js'
import type { TurnJournal } from './turn-journal.js'

/** One life of a turn, as its host starts it. */
export interface HostedTurn {
  readonly runtime: AgentRuntime
  /** Its signal ends this life; the signal's reason is a `StopReason`, anything else counts as `stop`. */
  readonly turn: TurnRef
  readonly transcript: {
    /** In order of their storing. What this turn answers stands at the end, or comes by `opening`. */
    readonly messages: readonly Message[]
    /** Of earlier lives of this turn. */
    readonly intents: readonly ToolIntent[]
    /** What this runtime stored by `state-set`. */
    readonly state?: JsonValue | undefined
  }
  /** What this turn answers, where the journal does not hold it yet: written and shown with the first facts. Default: nothing. */
  readonly opening?: readonly UserMessage[] | undefined
  /** The bytes that open every request, or how to get them. */
  readonly snapshot: PromptSnapshot | (() => Promise<PromptSnapshot>)
  /** Tools of the host; those of the runtime are added. */
  readonly tools: readonly AnyTool[]
  readonly journal: TurnJournal
  readonly media: MediaStore
  /** Plugins that have a say. Default: none. */
  readonly hooks?: TurnHooks | undefined
  /** Where it is counted how a tool does. Default: nowhere. */
  readonly recordOf?: ((tool: AnyTool) => CallRecord | undefined) | undefined
  /** Model calls of the turn over all its lives. Default: the runtime's wish, else 90. */
  readonly maxSteps?: number | undefined
  /** How long those who are told to stop may take, milliseconds. Default 500. */
  readonly graceMs?: number | undefined
  /** The longest run of a tool that sets no limit of its own, milliseconds. Default 600 000. */
  readonly toolTimeoutMs?: number | undefined
  /** Somebody hears of questions and may answer them by `AgentRun.answer`. Default: nobody, and each is `unanswered` at once. */
  readonly canAnswer?: boolean | undefined
  /** How long people may take for an answer, milliseconds. Default 3 600 000. */
  readonly questionTimeoutMs?: number | undefined
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
}
