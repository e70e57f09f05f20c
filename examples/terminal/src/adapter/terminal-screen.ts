import { clearLine, cursorTo, type Interface } from 'node:readline'
import type { Writable } from 'node:stream'
import type { SendOutcome } from '@hermes/plugin-sdk'

/** Whose text it is; compared by identity. */
export type Speaker = object

/** Where texts are shown below each other, and the person's prompt below them. Two that speak at once do not mix their lines. */
export class TerminalScreen {
  readonly #output: Writable & { readonly isTTY?: boolean | undefined }
  #lines: Interface | undefined
  #speaking: Speaker | undefined

  constructor(output: Writable & { readonly isTTY?: boolean | undefined }) {
    this.#output = output
  }

  /** Shows the prompt; `lines` reads what is typed there. */
  open(lines: Interface): void {
    this.#lines = lines
    this.#prompt()
  }

  /** No prompt any more. */
  close(): void {
    this.#lines = undefined
  }

  /** Goes on with what the speaker says. */
  append(speaker: Speaker, text: string, signal: AbortSignal): Promise<SendOutcome> {
    if (!this.#lines) return Promise.resolve({ status: 'rejected', reason: 'unavailable', detail: 'The terminal is not connected.' })
    if (signal.aborted) return Promise.resolve({ status: 'rejected', reason: 'unavailable', detail: 'The call was over before it began.' })
    if (text === '') return Promise.resolve({ status: 'sent', ids: [] })
    const opening = this.#speaking === speaker ? '' : this.#opening()
    this.#speaking = speaker
    return this.#write(opening + withoutControls(text), signal)
  }

  /** Says the rest, and ends the line. */
  async finish(speaker: Speaker, text: string, signal: AbortSignal): Promise<SendOutcome> {
    const outcome = await this.append(speaker, `${text}\n`, signal)
    if (outcome.status !== 'rejected') this.#release(speaker)
    return outcome
  }

  /** Ends the line of a speaker who says no more; nothing happens where none is open. */
  end(speaker: Speaker): void {
    if (this.#speaking !== speaker) return
    this.#output.write('\n')
    this.#release(speaker)
  }

  #release(speaker: Speaker): void {
    if (this.#speaking !== speaker) return
    this.#speaking = undefined
    this.#prompt()
  }

  /** Takes the place of the prompt, or of somebody else's unfinished line. */
  #opening(): string {
    if (this.#speaking) return `\n${this.#label()}`
    if (this.#output.isTTY) {
      clearLine(this.#output, 0)
      cursorTo(this.#output, 0)
    }
    return this.#label()
  }

  #label(): string {
    return this.#output.isTTY ? '\u001b[1mhermes\u001b[0m › ' : 'hermes › '
  }

  #prompt(): void {
    if (this.#output.isTTY) this.#lines?.prompt(true)
  }

  #write(text: string, signal: AbortSignal): Promise<SendOutcome> {
    return new Promise((resolve) => {
      const giveUp = (): void => resolve({ status: 'unknown', detail: 'The terminal did not take the text in time.' })
      signal.addEventListener('abort', giveUp, { once: true })
      this.#output.write(text, (error) => {
        signal.removeEventListener('abort', giveUp)
        resolve(error ? { status: 'unknown', detail: error.message, cause: error } : { status: 'sent', ids: [] })
      })
    })
  }
}

/** A model must not steer the terminal: of the control characters only the new line and the tab stay. */
function withoutControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '')
}
