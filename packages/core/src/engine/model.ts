import type { LanguageModelV3 } from '@ai-sdk/provider'
import type { ModelRef } from '@hermes/plugin-sdk'

/** A language model of AI SDK, specification v3, as any provider package makes it. */
export type Model = LanguageModelV3

/** Names a model in messages and events. */
export function modelRef(model: Model): ModelRef {
  return { provider: model.provider, model: model.modelId }
}

/** Names who made replay data: it goes back to the same model only. */
export function issuerOf(model: Model): string {
  return `${model.provider}/${model.modelId}`
}
