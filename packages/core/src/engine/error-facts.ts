import { errorTexts } from './error-texts.js'

const markers = [Symbol.for('vercel.ai.error'), Symbol.for('vercel.ai.error.AI_APICallError')]
const messageChars = 500
const causeDepth = 5
const textChars = 8_000

/** What is known of something thrown, before it is judged. */
export interface ErrorFacts {
  readonly name: string
  /** For people: cut, without keys. Where a provider passes on what another one said, it is that. */
  readonly message: string
  /** For rules, in small letters: messages, codes and types of the error and its body. It may hold anything and goes nowhere. */
  readonly text: string
  readonly status: number | undefined
  readonly headers: unknown
  /** Codes and names of the error and its causes. */
  readonly codes: readonly string[]
  /** It came from a model: an AI SDK error, an error with an HTTP status, or an error part of a stream. */
  readonly isFromModel: boolean
  /** `fetch` says "terminated" and "fetch failed" as a TypeError with a cause. */
  readonly isNetworkShaped: boolean
}

/** Thrown for an error part inside a stream, whose value may be anything. */
export class StreamPartError extends Error {
  readonly part: unknown

  constructor(part: unknown) {
    super(messageOf(part))
    this.name = 'StreamPartError'
    this.part = part
  }
}

/** Reads an error without trusting its shape. */
export function describeError(thrown: unknown): ErrorFacts {
  const isPart = thrown instanceof StreamPartError
  const error = isPart ? thrown.part : thrown
  const members = membersOf(error)
  const said = errorTexts(error)
  const status = statusOf(members, isPart ? said.codes : [])
  const chain = causesOf(error)
  const message = said.passedOn ?? messageOf(error)
  return {
    name: typeof members['name'] === 'string' ? members['name'] : '',
    message: hideKeys(message).slice(0, messageChars),
    text: [message, ...said.texts].join('\n').slice(0, textChars).toLowerCase(),
    status,
    headers: members['responseHeaders'] ?? members['headers'],
    codes: chain.flatMap((link) => [link['code'], link['name']].filter(isString)),
    isFromModel: isPart || status !== undefined || markers.some((marker) => typeof error === 'object' && error !== null && marker in error),
    isNetworkShaped: members['name'] === 'TypeError' && chain.length > 1,
  }
}

/** Aggregators put the status of the provider behind them into the code of an error part. */
function statusOf(members: Record<string, unknown>, codes: readonly number[]): number | undefined {
  const status = [members['statusCode'], members['status'], ...codes].find((value) => typeof value === 'number')
  return status !== undefined && status >= 100 && status <= 599 ? status : undefined
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  const { message, error: inner } = membersOf(error)
  if (isString(message)) return message
  return inner === undefined ? 'The model failed without saying why.' : messageOf(inner)
}

function causesOf(error: unknown): Record<string, unknown>[] {
  const chain: Record<string, unknown>[] = []
  for (let link = error; typeof link === 'object' && link !== null && chain.length < causeDepth; link = membersOf(link)['cause'])
    chain.push(membersOf(link))
  return chain
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Providers like to quote the key that they refuse. */
function hideKeys(message: string): string {
  return message.replace(/\b(bearer\s+|(?:sk|pk|rk|gsk|xai)[-_]|AIza)[\w.*-]{6,}/gi, '$1[hidden]')
}
