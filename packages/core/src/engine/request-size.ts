import type { Message, ToolListing } from '@hermes/plugin-sdk'
import type { RequestSize } from './failure-rules.js'
import { textOf } from './transcript.js'

const charsPerToken = 4
/** Up to this window, tokens, many tokens or messages alone are telling. */
const ordinaryWindow = 256_000

/** What a request is made of. */
export interface SizedRequest {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolListing[]
}

/** How large a request is against a window of tokens. Tokens are estimated, four characters each. */
export function requestSize({ system, messages, tools }: SizedRequest, window: number): RequestSize {
  const chars = [system.length, ...messages.map(charsOf), ...tools.map((tool) => JSON.stringify(tool).length)].reduce((sum, more) => sum + more, 0)
  const tokens = chars / charsPerToken
  const exceeds = (share: number, limits: { readonly tokens: number; readonly messages: number }): boolean =>
    tokens > share * window || (window <= ordinaryWindow && (tokens > limits.tokens || messages.length > limits.messages))
  if (exceeds(0.6, { tokens: 120_000, messages: 200 })) return 'large'
  return exceeds(0.4, { tokens: 80_000, messages: 80 }) ? 'halfway' : 'small'
}

/** Models that may say nothing for minutes while they think, so that proxies cut them off. */
const silentThinkers =
  /(?:^|[/_.-])(?:o[134](?:$|-)|gpt-5|deepseek-(?:r\d|reasoner)|qwq|magistral|gemini-[\d.]+-pro|grok-4)|thinking|reason(?:er|ing)/i

/** May the model think for long without a word? */
export function thinksSilently(modelId: string): boolean {
  return silentThinkers.test(modelId)
}

function charsOf(message: Message): number {
  const inputs = message.parts.map((part) => (part.type === 'tool-call' ? JSON.stringify(part.input).length : 0))
  return textOf(message).length + inputs.reduce((sum, chars) => sum + chars, 0)
}
