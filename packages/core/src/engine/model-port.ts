import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider'

/** A model as the engine asks it, whatever its specification: it takes and gives what one of v3 does. */
export interface ModelPort {
  readonly provider: string
  readonly modelId: string
  /** Its provider sends images of tool results as images. Others send their bytes as words. */
  readonly takesResultImages: boolean
  doStream(options: LanguageModelV3CallOptions): PromiseLike<{ readonly stream: ReadableStream<LanguageModelV3StreamPart> }>
}

const takingResultImages = /anthropic|^amazon-bedrock|^google|^vertex|\.responses$/

/** Does the provider of a model of specification v3 or v4 send images of tool results as images? */
export function takesResultImages(provider: string): boolean {
  return takingResultImages.test(provider)
}
