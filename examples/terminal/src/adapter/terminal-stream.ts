import type { Call, MessageStream, OutboundMessage, SendOutcome } from '@hermes/plugin-sdk'
import type { TerminalScreen } from './terminal-screen.js'

/** A message that grows on the screen: only what is new is written. */
export class TerminalStream implements MessageStream {
  readonly #screen: TerminalScreen
  #shown = ''
  #isFinished = false

  constructor(screen: TerminalScreen) {
    this.#screen = screen
  }

  async update(frame: { readonly text: string }, call: Call): Promise<SendOutcome> {
    const outcome = await this.#screen.append(this, this.#news(frame.text), call.signal)
    if (outcome.status !== 'rejected') this.#shown = frame.text
    return outcome
  }

  async finish(message: OutboundMessage, call: Call): Promise<SendOutcome> {
    if (this.#isFinished) return { status: 'sent', ids: [] }
    const outcome = await this.#screen.finish(this, this.#news(message.text), call.signal)
    this.#isFinished = outcome.status !== 'rejected'
    return outcome
  }

  async abandon(): Promise<void> {
    this.#screen.end(this)
  }

  /** What is not on the screen yet. Texts extend each other; one that does not stands on a line of its own. */
  #news(text: string): string {
    return text.startsWith(this.#shown) ? text.slice(this.#shown.length) : `\n${text}`
  }
}
