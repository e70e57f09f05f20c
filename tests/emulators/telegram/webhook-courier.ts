import { request } from 'node:http'
import type { UpdateQueue } from './update-queue.js'

/** A delivery of an update to the bot's webhook. `status` 0: no answer came. */
export interface WebhookDelivery {
  readonly updateId: number
  readonly status: number
}

/**
 * Posts updates to the webhook, one after another. One that is not answered with 2xx stays and is posted again with the next update,
 * or by `retry`. The real server needs HTTPS; here a webhook's host is looked up in what `route` was told.
 */
export class WebhookCourier {
  readonly deliveries: WebhookDelivery[] = []
  readonly #updates: UpdateQueue
  readonly #notify: () => void
  readonly #stopping = new AbortController()
  #webhook: { readonly url: URL; readonly secret?: string | undefined } | undefined
  #origin: string | undefined
  #isBusy = false
  #isWanted = false

  constructor(updates: UpdateQueue, notify: () => void) {
    this.#updates = updates
    this.#notify = notify
    updates.onPush = () => this.retry()
  }

  /** From now on every webhook leads to this origin, e.g. `http://127.0.0.1:40123`. */
  route(origin: string): void {
    this.#origin = origin
    this.retry()
  }

  /** What `setWebhook` said; without a URL there is none. */
  set(url: string, secret?: string): void {
    this.#webhook = url === '' ? undefined : { url: new URL(url), secret }
    this.retry()
  }

  get url(): string {
    return this.#webhook?.url.href ?? ''
  }

  /** Posts what waits. */
  retry(): void {
    this.#isWanted = true
    if (!this.#isBusy) void this.#drain()
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #drain(): Promise<void> {
    this.#isBusy = true
    while (this.#isWanted && !this.#stopping.signal.aborted) {
      this.#isWanted = false
      let update = this.#updates.pending[0]
      while (update && this.#webhook && this.#origin && !this.#stopping.signal.aborted) {
        const status = await this.#post(update).catch(() => 0)
        this.deliveries.push({ updateId: update.update_id, status })
        if (status >= 200 && status < 300) this.#updates.confirm(update.update_id + 1)
        this.#notify()
        if (status < 200 || status >= 300) break
        update = this.#updates.pending[0]
      }
    }
    this.#isBusy = false
  }

  #post(update: object): Promise<number> {
    const { url, secret } = this.#webhook ?? {}
    const body = JSON.stringify(update)
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
      ...(secret !== undefined && { 'x-telegram-bot-api-secret-token': secret }),
    }
    return new Promise((resolve, reject) => {
      const target = `${this.#origin}${url?.pathname}${url?.search}`
      const call = request(target, { method: 'POST', headers, agent: false, signal: this.#stopping.signal }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', reject)
      })
      call.on('error', reject).end(body)
    })
  }
}
