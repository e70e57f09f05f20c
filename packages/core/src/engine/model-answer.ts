import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart, LanguageModelV3ToolCall, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import type { AssistantMessage, CallId, CallPart, Finish, JsonValue, New, Replay, RuntimeEvent } from '@hermes/plugin-sdk'
import { StreamPartError } from './error-facts.js'
import { failureError } from './failures.js'
import { issuerOf, modelRef } from './model.js'
import type { ModelPort } from './model-port.js'
import { noUsage, toUsage } from './usage.js'

interface OpenBlock {
  readonly type: 'text' | 'reasoning'
  /** Ours: unique in the step, whatever the provider calls it. */
  readonly id: string
  readonly chunks: string[]
  metadata: SharedV3ProviderMetadata | undefined
}

type BlockPart = Extract<LanguageModelV3StreamPart, { type: `${'text' | 'reasoning'}-${string}` }>

/** Puts one answer together from the parts of a stream. Parts that it does not know are left out. */
export class ModelAnswer {
  readonly #model: ModelPort
  readonly #blocks: (OpenBlock | CallPart)[] = []
  readonly #open = new Map<string, OpenBlock>()
  #finish: Finish | undefined
  #usage = noUsage

  constructor(model: ModelPort) {
    this.#model = model
  }

  /** The stream told how it ended. */
  get isFinished(): boolean {
    return this.#finish !== undefined
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0
  }

  /** The event that shows the part, if one does. Throws for an error part and for an answer that ended in error. */
  take(part: LanguageModelV3StreamPart): RuntimeEvent | undefined {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end':
        return this.#takeBlock(part)
      case 'tool-input-start':
        return part.providerExecuted ? undefined : { type: 'tool-input-start', callId: part.id, name: part.toolName }
      case 'tool-call':
        if (!part.providerExecuted) this.#blocks.push(toCall(part, this.#replay(part.providerMetadata)))
        return undefined
      case 'finish':
        this.#usage = toUsage(part.usage)
        this.#finish = toFinish(part.finishReason)
        return undefined
      case 'error':
        throw new StreamPartError(part.error)
      default:
        return undefined
    }
  }

  /** The answer as a message that is not stored yet. */
  message(): New<AssistantMessage> {
    const parts = this.#blocks.map((block): AssistantMessage['parts'][number] => {
      if (block.type === 'tool-call') return block
      const text = block.chunks.join('')
      const replay = this.#replay(block.type === 'reasoning' ? (block.metadata ?? {}) : block.metadata)
      return { type: block.type, text, replay }
    })
    return { role: 'assistant', model: modelRef(this.#model), finish: this.#finish ?? 'other', usage: this.#usage, parts }
  }

  #takeBlock(part: BlockPart): RuntimeEvent | undefined {
    const type = part.type.startsWith('text') ? 'text' : 'reasoning'
    const key = `${type} ${part.id}`
    const block = this.#open.get(key) ?? this.#openBlock(type, key)
    block.metadata = part.providerMetadata ?? block.metadata
    if (part.type === 'text-end' || part.type === 'reasoning-end') {
      this.#open.delete(key)
      return { type: part.type, id: block.id }
    }
    if (part.type === 'text-start' || part.type === 'reasoning-start' || part.delta === '') return undefined
    block.chunks.push(part.delta)
    return { type: part.type, id: block.id, text: part.delta }
  }

  #openBlock(type: OpenBlock['type'], key: string): OpenBlock {
    const block: OpenBlock = { type, id: String(this.#blocks.length), chunks: [], metadata: undefined }
    this.#blocks.push(block)
    this.#open.set(key, block)
    return block
  }

  #replay(metadata: SharedV3ProviderMetadata | undefined): Replay | undefined {
    return metadata && { issuer: issuerOf(this.#model), data: metadata as JsonValue }
  }
}

function toFinish({ unified }: LanguageModelV3FinishReason): Finish {
  if (unified === 'error') throw failureError({ reason: 'server-error', message: 'The model ended its answer with an error.' })
  return unified
}

function toCall(part: LanguageModelV3ToolCall, replay: Replay | undefined): CallPart {
  const call = { type: 'tool-call', callId: part.toolCallId as CallId, name: part.toolName, replay } as const
  try {
    return { ...call, input: part.input.trim() === '' ? {} : (JSON.parse(part.input) as JsonValue) }
  } catch {
    return { ...call, input: null, unparsed: part.input }
  }
}
