import type { Usage } from '@hermes/plugin-sdk'
import type { LanguageModelV3Usage } from '@ai-sdk/provider'

/** Nothing was used. */
export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }

/** The sum of two. */
export function addUsage(left: Usage, right: Usage): Usage {
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    reasoning: left.reasoning + right.reasoning,
  }
}

/** A provider's count as ours; what it does not tell counts as 0. */
export function toUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage {
  const cacheRead = inputTokens.cacheRead ?? 0
  const cacheWrite = inputTokens.cacheWrite ?? 0
  return {
    input: inputTokens.noCache ?? Math.max(0, (inputTokens.total ?? 0) - cacheRead - cacheWrite),
    output: outputTokens.total ?? 0,
    cacheRead,
    cacheWrite,
    reasoning: outputTokens.reasoning ?? 0,
  }
}
