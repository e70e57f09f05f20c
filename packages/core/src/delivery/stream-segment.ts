import type { SendOutcome } from '@hermes/plugin-sdk'

/** What a segment works with. The calls reject when the house stops. */
export interface StreamSegmentPorts {
  update(text: string): Promise<SendOutcome>
  abandon(): Promise<SendOutcome>
  /** Keeps a job in sight until it is done. */
  readonly track: (job: Promise<void>) => void
}

/**
 * The text of one stream: one update under way at a time, the newest text wins, and texts extend each other. After an update that
 * was not taken nothing more is shown.
 */
export class StreamSegment {
  readonly #ports: StreamSegmentPorts
  #wanted = ''
  /** What the last update carried. */
  #shown = ''
  #state: 'growing' | 'frozen' | 'ending' = 'growing'
  #isWorking = false

  constructor(ports: StreamSegmentPorts) {
    this.#ports = ports
  }

  /** A text that does not extend what is shown changes nothing. */
  set(text: string): void {
    if (this.#state !== 'growing' || !text.startsWith(this.#shown)) return
    this.#wanted = text
    this.#work()
  }

  /** Can the stream become this message? Then nothing more is shown before its finish. */
  becomes(text: string): boolean {
    const isPossible = this.#state === 'growing' && this.#shown !== '' && text.startsWith(this.#shown)
    if (isPossible) this.#freeze()
    return isPossible
  }

  /** Shows the last text, then ends the stream with it. */
  end(): void {
    this.#state = 'ending'
    this.#work()
  }

  /** Ends the stream with what is shown. */
  drop(): void {
    this.#freeze()
    this.end()
  }

  #freeze(): void {
    this.#wanted = this.#shown
    this.#state = 'frozen'
  }

  #work(): void {
    if (this.#isWorking) return
    this.#isWorking = true
    this.#ports.track(this.#catchUp())
  }

  async #catchUp(): Promise<void> {
    try {
      while (this.#wanted !== this.#shown) {
        this.#shown = this.#wanted
        const outcome = await this.#ports.update(this.#shown)
        if (outcome.status !== 'sent') this.#giveUp()
      }
      if (this.#state === 'ending') await this.#ports.abandon()
    } catch {
      // The house stops: whatever the stream shows by now stays.
      this.#giveUp()
    } finally {
      this.#isWorking = false
    }
  }

  #giveUp(): void {
    this.#wanted = this.#shown
    if (this.#state === 'growing') this.#state = 'frozen'
  }
}
