import type { z } from 'zod'
import type { Awaitable } from './json.js'
import type { MediaStore } from './media.js'
import type { Answer, Question } from './questions.js'
import type { CallId, JsonSchema, ResultPart } from './transcript.js'
import type { TurnRef } from './turns.js'

/** What a tool gives back, where a string is not enough. */
export interface ToolResult {
  readonly parts: readonly ResultPart[]
  readonly isError?: boolean | undefined
  /** A batch in which all results say so ends the turn without a further model call. */
  readonly endsTurn?: boolean | undefined
}

/** A claim on something that two calls must not use at once; read with read is no conflict. */
export interface ToolClaim {
  readonly resource: string
  readonly access: 'read' | 'write'
}

/** Something that the model may call. */
export interface Tool<Input = unknown> {
  /** 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
  readonly name: string
  /** What the model reads; it must not name tools that may be absent. */
  readonly description: string
  readonly input: z.ZodType<Input> | JsonSchema
  /** It changes nothing: then `parallel` is `free` and `replay` is `safe` unless they say otherwise. */
  readonly readOnly?: boolean | undefined
  /** `alone` (default): conflicts with every other call of the batch. */
  readonly parallel?: 'alone' | 'free' | ((input: Input) => readonly ToolClaim[]) | undefined
  /** After a crash between start and result: the result is `unknown` (`never`, default), or the call is made again. */
  readonly replay?: 'never' | 'safe' | undefined
  /**
   * Must a person approve a call before it starts? A function decides by the input: a question of kind `approval`, whose id is not
   * read (an approval has that of its call), or `undefined` for no. One that fails refuses the call. Default `never`.
   */
  readonly approval?: 'never' | 'always' | ((input: Input) => Awaitable<Question | undefined>) | undefined
  /** The longest run, milliseconds, without the time in which it waits for people. Default: the host's limit (10 minutes). */
  readonly timeoutMs?: number | undefined
  /** Beyond it the model gets a preview and a reference. Default 100 000; `Infinity`: never cut. */
  readonly maxResultChars?: number | undefined
  /** A throw becomes an error result for the model; it never ends the turn. */
  run(input: Input, context: ToolContext): string | ToolResult | Promise<string | ToolResult>
}

/** What a running tool may use. */
export interface ToolContext {
  readonly turn: TurnRef
  readonly callId: CallId
  readonly media: MediaStore
  /** Stop or time-out. */
  readonly signal: AbortSignal
  /** A person's note waits: a tool that only waits should return what it has. */
  readonly attention: AbortSignal
  /** Heard until `run` settles. */
  progress(update: string | ToolResult): void
  /**
   * Asks a person. A tool with `replay: 'safe'` is called again by the next process and gets the answer that was stored. Never
   * rejects but with `value.invalid`, for a question of a wrong shape.
   */
  readonly ask: (question: Question) => Promise<Answer>
}
