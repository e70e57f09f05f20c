import type { LanguageModelV2, LanguageModelV3 } from '@ai-sdk/provider'
import type { ModelRef } from '@hermes/plugin-sdk'
import { takesResultImages, type ModelPort } from './model-port.js'
import { portOfV2 } from './model-v2.js'
import { portOfV4, type LanguageModelV4 } from './model-v4.js'

/** A language model of AI SDK, as any provider package makes it: specification v2 (AI SDK 5), v3 (AI SDK 6) or v4 (AI SDK 7). */
export type Model = LanguageModelV2 | LanguageModelV3 | LanguageModelV4

/** The port of a model. */
export function modelPort(model: Model): ModelPort {
  switch (model.specificationVersion) {
    case 'v2':
      return portOfV2(model)
    case 'v3':
      return portOfV3(model)
    case 'v4':
      return portOfV4(model)
  }
}

function portOfV3(model: LanguageModelV3): ModelPort {
  const { provider, modelId } = model
  return { provider, modelId, takesResultImages: takesResultImages(provider), doStream: (options) => model.doStream(options) }
}

/** Is this a model that the engine can ask? */
export function isModel(value: unknown): value is Model {
  const { specificationVersion, doStream } = Object(value) as { readonly [member: string]: unknown }
  return ['v2', 'v3', 'v4'].includes(String(specificationVersion)) && typeof doStream === 'function'
}

/** Why something is no model, and what to install. */
export function modelProblem(value: unknown): string {
  const { specificationVersion: version } = Object(value) as { readonly specificationVersion?: unknown }
  const needed = 'must be an AI SDK language model of specification v2, v3 or v4'
  if (typeof value === 'string') return `${needed}, and this is a text: make the model with a provider package, such as @ai-sdk/openai`
  if (typeof version !== 'string' || /^v[234]$/.test(version)) return needed
  return `${needed}, and this one is of ${version}: install the provider package of AI SDK 6, such as @ai-sdk/openai@3`
}

/** Names a model in messages and events. */
export function modelRef(model: Pick<ModelPort, 'provider' | 'modelId'>): ModelRef {
  return { provider: model.provider, model: model.modelId }
}

/** Names who made replay data: it goes back to the same model only. */
export function issuerOf(model: Pick<ModelPort, 'provider' | 'modelId'>): string {
  return `${model.provider}/${model.modelId}`
}
