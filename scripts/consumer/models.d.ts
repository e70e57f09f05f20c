declare module '@ai-sdk/openai' {
  import type { LanguageModelV3 } from '@ai-sdk/provider'

  export function openai(modelId: string): LanguageModelV3
}
