import type { AssistantMessage, CallId, CallPart, JsonValue, Message, ModelRef, New, ToolMessage } from '@hermes/plugin-sdk'
import type { ClosingStatus } from './close-calls.js'
import { callsOf } from './transcript.js'

/** A call as a runtime makes it. */
export interface CallRequest {
  readonly callId: string
  readonly name: string
  readonly input: unknown
}

/** How far a call came that has no result; `held-back` when only its intent was written, because a stop came then. */
type CallProgress = 'begun' | 'begun-earlier' | 'held-back' | 'never-begun'

const statusOf: { readonly [P in CallProgress]: ClosingStatus } = {
  begun: 'interrupted',
  'begun-earlier': 'unknown',
  'held-back': 'skipped',
  'never-begun': 'skipped',
}

/** The calls of a turn, and how far each came: those of its newest answer, and early ones, which began before their answer was stored. */
export class KnownCalls {
  /** Calls whose intent an earlier life wrote. */
  readonly #intents: ReadonlySet<string>
  readonly #intended = new Set<CallId>()
  readonly #started = new Set<CallId>()
  readonly #early = new Map<CallId, CallPart>()
  #answer: Pick<AssistantMessage, 'parts' | 'finish'> = { parts: [], finish: 'other' }
  #ids: ReadonlyMap<string, readonly CallId[]> = new Map()

  constructor(intents: ReadonlySet<string>, early: readonly CallPart[]) {
    this.#intents = intents
    for (const call of early) this.#early.set(call.callId, call)
  }

  /** The newest answer; `ids`: what the ids of the runtime stand for, where they were taken. */
  expect(answer: Pick<AssistantMessage, 'parts' | 'finish'>, ids: ReadonlyMap<string, readonly CallId[]> = new Map()): void {
    this.#answer = answer
    this.#ids = ids
    for (const { callId } of callsOf(answer)) this.#early.delete(callId)
  }

  /** The id of the call that a runtime means. Where one of its ids stands for several calls, the first that is not `isOver`. */
  idOf(callId: string, isOver: (id: CallId) => boolean): CallId {
    const ids = this.#ids.get(callId) ?? [callId as CallId]
    return ids.find((id) => !isOver(id)) ?? (ids.at(-1) as CallId)
  }

  /** The call that is meant: as its answer has it, else as it is made, and then it is early. */
  find({ callId, name, input }: CallRequest & { readonly callId: CallId }): CallPart {
    const known = callsOf(this.#answer).find((call) => call.callId === callId) ?? this.#early.get(callId)
    if (known) return known
    const call: CallPart = { type: 'tool-call', callId, name, input: plain(input) }
    this.#early.set(callId, call)
    return call
  }

  /** Does the newest answer ask for it? */
  isExpected(callId: CallId): boolean {
    return callsOf(this.#answer).some((call) => call.callId === callId)
  }

  isEarly(callId: string): boolean {
    return this.#early.has(callId as CallId)
  }

  /** The answer was cut off at its length limit, so that its calls may be incomplete. */
  isCutOff(callId: CallId): boolean {
    return this.#answer.finish === 'length' && this.isExpected(callId)
  }

  hasIntent(callId: CallId): boolean {
    return this.#intended.has(callId) || this.#intents.has(callId)
  }

  intended(callId: CallId): void {
    this.#intended.add(callId)
  }

  hasStarted(callId: CallId): boolean {
    return this.#started.has(callId)
  }

  started(callId: CallId): void {
    this.#started.add(callId)
  }

  /** How far a call of the newest answer came that has no result: begun in this life, in an earlier one, or never. */
  progressOf(callId: CallId): CallProgress {
    if (this.#started.has(callId)) return 'begun'
    if (this.#intents.has(callId)) return 'begun-earlier'
    return this.#intended.has(callId) ? 'held-back' : 'never-begun'
  }

  /** What the model is told of a call that has no result. */
  closingStatusOf(callId: CallId): ClosingStatus {
    return statusOf[this.progressOf(callId)]
  }

  /** An answer for the early calls whose own never came, so that the model learns of them; `coming`: those that one is about to bring. */
  earlyAnswer(model: ModelRef, coming: ReadonlySet<string> = new Set()): New<AssistantMessage> | undefined {
    const parts = [...this.#early.values()].filter((call) => !coming.has(call.callId))
    return parts.length === 0 ? undefined : { role: 'assistant', model, finish: 'tool-calls', parts }
  }
}

/** The result of a call behind the newest answer that asks for it, if there is one. */
export function resultOf(messages: readonly Message[], callId: CallId): ToolMessage | undefined {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message?.role === 'tool' && message.callId === callId) return message
    if (message?.role === 'assistant' && callsOf(message).some((call) => call.callId === callId)) return undefined
  }
  return undefined
}

/** Input of a call that no model wrote down: what is no JSON is not kept. */
function plain(input: unknown): JsonValue {
  try {
    return JSON.parse(JSON.stringify(input) ?? 'null') as JsonValue
  } catch {
    return null
  }
}
