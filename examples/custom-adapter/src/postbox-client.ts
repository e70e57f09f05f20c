import type { Secret } from '@hermes/plugin-sdk'

/** What goes with a call. `body` makes it a POST. */
export interface PostboxCall {
  readonly signal: AbortSignal
  readonly body?: object | undefined
}

/** The platform answered, and refused. */
export class PostboxRefusal extends Error {
  readonly status: number
  /** The platform's own word: `too-long`. */
  readonly word: string
  readonly retryAfterMs: number | undefined

  constructor({ status, headers }: Response, word: string) {
    super(`The postbox answered ${status}: ${word}`)
    this.status = status
    this.word = word
    const seconds = Number(headers.get('retry-after') ?? NaN)
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined
  }
}

/** The SDK of the platform, as far as there is one. Plugins get it as the native object. */
export class PostboxClient {
  readonly #url: string
  readonly #token: Secret

  constructor(url: string, token: Secret) {
    this.#url = url
    this.#token = token
  }

  /** The answer, unread. Throws `PostboxRefusal`, and what `fetch` throws. */
  async call(path: string, { signal, body }: PostboxCall): Promise<unknown> {
    const response = await fetch(new URL(path, this.#url), {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${this.#token.reveal()}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new PostboxRefusal(response, wordOf(answer))
    return answer
  }
}

function wordOf(answer: unknown): string {
  return typeof answer === 'object' && answer !== null && 'error' in answer ? String(answer.error) : 'no reason'
}
