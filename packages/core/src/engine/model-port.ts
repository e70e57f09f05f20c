import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider'

/** A model as the engine asks it, whatever its specification: it takes and gives what one of v3 does. */
export interface ModelPort {
  readonly provider: string
  readonly modelId: string
  doStream(options: LanguageModelV3CallOptions): PromiseLike<{ readonly stream: ReadableStream<LanguageModelV3StreamPart> }>
}
