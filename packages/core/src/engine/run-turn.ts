import { z } from 'zod'
import {
  HermesError,
  parseOptions,
  type AgentRuntime,
  type Clock,
  type JsonValue,
  type Logger,
  type MediaStore,
  type Message,
  type MessageId,
  type TurnId,
  type UserMessage,
} from '@hermes/plugin-sdk'
import { randomIds, systemClock, type Ids } from '../kernel/index.js'
import type { ToolIntent } from '../store/index.js'
import type { AgentRun } from './agent-run.js'
import { toTools, type AiToolSet } from './ai-tools.js'
import type { AnyTool } from './any-tool.js'
import { hostTurn } from './host-turn.js'
import { createMemoryMedia } from './memory-media.js'
import { PromptBuilder } from './prompt-snapshot.js'
import { forgetfulJournal, type TurnJournal } from './turn-journal.js'

const runInput = z.object({
  /** A text, or a conversation: the messages of an earlier result, and texts that follow them. */
  messages: z.union([z.string(), z.custom<readonly (Message | string)[]>(Array.isArray)], 'must be a text or a list of messages'),
  /** In place of the runtime's instructions. */
  system: z.string().optional(),
  /** Ends the turn as `interrupted`. */
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'must be an AbortSignal').optional(),
  /** Tools and tool sets beside those of the runtime. */
  tools: z.custom<readonly (AnyTool | AiToolSet)[]>(Array.isArray, 'must be a list of tools and tool sets').optional(),
  /** What this runtime stored by `state-set` in an earlier turn. */
  state: z.custom<JsonValue>().optional(),
  /** Model calls of the turn. Default: the runtime's wish, else 90. */
  maxSteps: z.int().min(1).optional(),
  /** Where the turn writes. Default: nowhere. */
  journal: z.custom<TurnJournal>(isObject, 'must be a TurnJournal').optional(),
  /** Calls that began in an earlier life of this turn, from its journal. */
  intents: z.custom<readonly ToolIntent[]>(Array.isArray, 'must be a list of intents').optional(),
  /**
   * Somebody reads the events and answers questions by `run.answer`: they wait for it. Default `false`: every question is
   * `unanswered` at once, because nobody is there.
   */
  canAnswer: z.boolean().optional(),
  /** How long people may take for an answer, milliseconds. Default an hour. */
  questionTimeoutMs: z.number().min(0).optional(),
  /** Where long results go. Default: memory, for the time of the turn. */
  media: z.custom<MediaStore>(isObject, 'must be a MediaStore').optional(),
  /** Names the conversation to instructions and tools. Default: a new name. */
  lane: z.string().min(1).optional(),
  clock: z.custom<Clock>(isObject, 'must be a Clock').optional(),
  ids: z.custom<Ids>(isObject, 'must be an Ids').optional(),
  /** Default: silence. */
  logger: z.custom<Logger>(isObject, 'must be a Logger').optional(),
})

/** What `runTurn` takes. */
export type RunInput = z.input<typeof runInput>

const roles = new Set<string>(['user', 'assistant', 'tool', 'summary'] satisfies Message['role'][])

const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore }

/**
 * Runs one turn of any runtime, without a gateway. Throws `options.invalid`, `name.taken`, and `value.invalid` for a conversation
 * with nothing to answer; whatever goes wrong later is in the result.
 */
export function runTurn(runtime: AgentRuntime, input: RunInput): AgentRun {
  const options = parseOptions(runInput, input, 'runTurn()')
  const { ids = randomIds, clock = systemClock } = options
  const tools = toTools(options.tools ?? [])
  const lane = options.lane ?? ids.next('lane')
  const { stored, texts } = splitConversation(options.messages)
  const id = turnIdOf(stored, texts) ?? (ids.next('turn') as TurnId)
  const opening = texts.map((text) => saidByPerson(text, { id: ids.next('message') as MessageId, turn: id, at: clock.now() }))
  const prompted = { id: runtime.id, tools: runtime.tools, instructions: options.system ?? runtime.instructions }
  return hostTurn({
    runtime,
    turn: { id, lane, epoch: 1, signal: options.signal ?? new AbortController().signal },
    transcript: { messages: stored, intents: options.intents ?? [], state: options.state },
    opening,
    snapshot: () => new PromptBuilder(prompted).build({ lane, tools }),
    tools,
    journal: options.journal ?? forgetfulJournal,
    media: options.media ?? createMemoryMedia(ids),
    maxSteps: options.maxSteps,
    canAnswer: options.canAnswer,
    questionTimeoutMs: options.questionTimeoutMs,
    clock,
    ids,
    logger: options.logger ?? silentLogger,
  })
}

function saidByPerson(text: string, stamp: Pick<UserMessage, 'id' | 'turn' | 'at'>): UserMessage {
  return { ...stamp, role: 'user', origin: 'person', parts: [{ type: 'text', text }] }
}

function splitConversation(messages: RunInput['messages']): { readonly stored: readonly Message[]; readonly texts: readonly string[] } {
  const list = typeof messages === 'string' ? [messages] : messages
  const stored = list.filter((item) => typeof item !== 'string')
  const texts = list.slice(stored.length).filter((item) => typeof item === 'string')
  const wrong = stored.findIndex((message) => !isMessage(message))
  if (wrong >= 0) throw invalidMessages(`the one at ${wrong} is neither a text nor a message of an earlier result`)
  if (texts.some((text) => text.trim() === '')) throw invalidMessages('a text is empty')
  if (stored.length + texts.length < list.length) throw invalidMessages('texts come after all messages')
  if (texts.length === 0 && isAnswered(stored)) throw invalidMessages('there is nothing to answer: add a text or a user message')
  return { stored, texts }
}

function isMessage(value: unknown): boolean {
  const { role, id, parts } = Object(value) as { readonly [member: string]: unknown }
  return typeof role === 'string' && roles.has(role) && typeof id === 'string' && Array.isArray(parts)
}

function invalidMessages(issue: string): HermesError {
  return new HermesError('value.invalid', `runTurn() cannot use these messages: ${issue}.`, { where: 'messages', issues: [issue] })
}

function isAnswered(stored: readonly Message[]): boolean {
  const tail = stored.at(-1)
  return tail === undefined || (tail.role === 'assistant' && !tail.parts.some((part) => part.type === 'tool-call'))
}

/** A conversation without a new text goes on with the turn of its last message. */
function turnIdOf(stored: readonly Message[], texts: readonly string[]): TurnId | undefined {
  return texts.length === 0 ? stored.at(-1)?.turn : undefined
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function ignore(): void {}
