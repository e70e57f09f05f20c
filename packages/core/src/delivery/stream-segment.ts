import type { SendOutcome } from '@hermes/plugin-sdk'
import type { OpenStream } from './queued-piece.js'

/** A stream that was opened, and its calls. They reject when the house stops. */
export interface SegmentStream extends Pick<OpenStream, 'adapter' | 'stream'> {
  readonly update: (text: string) => Promise<SendOutcome>
  readonly end: () => Promise<SendOutcome>
}

/** What a segment works with. */
export interface StreamSegmentPorts {
  /** What must be on the screen first. Never rejects. */
  readonly before: Promise<void>
  /** `undefined`: nothing can be shown now. */
  readonly open: () => SegmentStream | undefined
  /** Keeps a job in sight until it is done. */
  readonly track: (job: Promise<void>) => void
}

/**
 * The text of one stream, which is opened for the first of it: one update under way at a time, the newest text wins, and texts
 * extend each other. After an update that was not taken nothing more is shown.
 */
export class StreamSegment {
  readonly #ports: StreamSegmentPorts
  #stream: SegmentStream | undefined
  #wanted = ''
  /** What the last update carried. */
  #shown = ''
  #state: 'growing' | 'frozen' | 'ending' = 'growing'
  #job: Promise<void> | undefined

  constructor(ports: StreamSegmentPorts) {
    this.#ports = ports
  }

  /** A text that does not extend what is shown changes nothing. */
  set(text: string): void {
    if (this.#state !== 'growing' || !text.startsWith(this.#shown)) return
    this.#wanted = text
    void this.#work()
  }

  /** Gives the stream away if it can become this message: then nothing more is shown before its finish. */
  handOver(text: string): OpenStream | undefined {
    const canBecome = this.#stream && this.#state === 'growing' && text.startsWith(this.#shown)
    if (!this.#stream || !canBecome) return undefined
    this.#freeze()
    const { adapter, stream } = this.#stream
    return { adapter, stream, abandon: () => void this.drop() }
  }

  /** Shows the last text, then ends the stream with it. Resolves when that is done; never rejects. */
  end(): Promise<void> {
    this.#state = 'ending'
    return this.#work()
  }

  /** Ends the stream with what is shown. Resolves when that is done; never rejects. */
  drop(): Promise<void> {
    this.#freeze()
    return this.end()
  }

  #freeze(): void {
    this.#wanted = this.#shown
    if (this.#state === 'growing') this.#state = 'frozen'
  }

  #work(): Promise<void> {
    if (this.#job) return this.#job
    this.#job = this.#catchUp()
    this.#ports.track(this.#job)
    return this.#job
  }

  /** A text that comes between the last look and the end of the job would be lost, so nothing is awaited there. */
  async #catchUp(): Promise<void> {
    try {
      await this.#ports.before
      while (this.#wanted !== this.#shown && this.#isOpen()) await this.#update()
      if (this.#state === 'ending') await this.#stream?.end()
    } catch {
      // The house stops: whatever the stream shows by now stays.
      this.#freeze()
    } finally {
      this.#job = undefined
    }
  }

  #isOpen(): boolean {
    this.#stream ??= this.#ports.open()
    return this.#stream !== undefined
  }

  async #update(): Promise<void> {
    this.#shown = this.#wanted
    const outcome = await this.#stream?.update(this.#shown)
    if (outcome?.status !== 'sent') this.#freeze()
  }
}
