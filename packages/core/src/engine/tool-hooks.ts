import type { CallPart, FinishedToolCall, JsonObject, JsonValue, ResultPart, TurnRef } from '@hermes/plugin-sdk'
import type { ToolVerdict } from '../hooks/index.js'
import type { TurnHooks } from './turn-hooks.js'

/** How a call ended, as plugins are told. */
export type EndedCall = Pick<FinishedToolCall, 'status' | 'parts'> & { readonly durationMs?: number | undefined }

/** What plugins have to do with the calls of a turn. */
export class ToolHooks {
  readonly #turn: TurnRef
  readonly #hooks: TurnHooks

  constructor(turn: TurnRef, hooks: TurnHooks) {
    this.#turn = turn
    this.#hooks = hooks
  }

  /** What is to become of a call; `undefined`: nobody was asked. Throws for an input that is no JSON object: nobody could judge it. */
  async decide({ callId, name }: CallPart, input: unknown): Promise<ToolVerdict | undefined> {
    if (!this.#hooks.isTapped('preToolCall')) return undefined
    return this.#hooks.preToolCall({ turn: this.#turn, callId, name, input: jsonObject(input) })
  }

  /** Tells of a call that is over. */
  ended(call: CallPart, end: EndedCall): void {
    if (this.#hooks.isTapped('postToolCall')) this.#hooks.postToolCall(this.#payload(call, end))
  }

  /** Its result, as it goes on. */
  async transform<End extends EndedCall>(call: CallPart, end: End): Promise<End> {
    if (!this.#hooks.isTapped('transformToolResult')) return end
    const text = await this.#hooks.transformToolResult(this.#payload(call, end))
    if (text === undefined) return end
    const media = end.parts.filter((part) => part.type === 'media')
    return { ...end, parts: [{ type: 'text', text } satisfies ResultPart, ...media] }
  }

  #payload({ callId, name, input }: CallPart, { status, parts, durationMs = 0 }: EndedCall): FinishedToolCall {
    return { turn: this.#turn, callId, name, input: isObject(input) ? input : {}, status, parts, durationMs }
  }
}

/** A copy: what a tap does to it changes no transcript. */
function jsonObject(input: unknown): JsonObject {
  const copy = JSON.parse(JSON.stringify(input)) as JsonValue
  if (!isObject(copy)) throw new TypeError('the input is no object')
  return copy
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
