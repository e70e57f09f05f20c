import type {
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV2FinishReason,
  LanguageModelV2StreamPart,
  LanguageModelV2Usage,
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider'
import type { ModelPort } from './model-port.js'

/** A model of specification v2 (AI SDK 5): its finish is a word, its usage flat. Its requests differ only in what we never send. */
export function portOfV2(model: LanguageModelV2): ModelPort {
  return {
    provider: model.provider,
    modelId: model.modelId,
    takesResultImages: false,
    async doStream(options: LanguageModelV3CallOptions) {
      const { stream } = await model.doStream(options as LanguageModelV2CallOptions)
      return { stream: stream.pipeThrough(new TransformStream({ transform: (part, out) => out.enqueue(toV3(part)) })) }
    },
  }
}

function toV3(part: LanguageModelV2StreamPart): LanguageModelV3StreamPart {
  if (part.type !== 'finish') return part as LanguageModelV3StreamPart
  return { ...part, finishReason: toFinishReason(part.finishReason), usage: toUsage(part.usage) } as LanguageModelV3StreamPart
}

function toFinishReason(reason: LanguageModelV2FinishReason): LanguageModelV3FinishReason {
  return { unified: reason === 'unknown' ? 'other' : reason, raw: reason }
}

function toUsage({ inputTokens, cachedInputTokens, outputTokens, reasoningTokens }: LanguageModelV2Usage): LanguageModelV3Usage {
  return {
    inputTokens: { total: inputTokens, noCache: undefined, cacheRead: cachedInputTokens, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: reasoningTokens },
  }
}
