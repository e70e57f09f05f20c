import type { LaneTranscript } from './lane-transcript.js'

/**
 * Characters of transcripts, as JSON, that a process holds at most; in memory they take about four times that. Some fifty conversations of
 * 500 messages with 300 characters each.
 */
const defaultCapacity = 8 * 2 ** 20

/**
 * The transcripts of idle lanes, as their last turns left them here: what spares the next claim the whole conversation. The store
 * says whether one still holds; one that is missing costs time only. Those that were used longest ago go first.
 */
export class TranscriptCache {
  readonly #capacity: number
  readonly #byLane = new Map<string, LaneTranscript>()
  #size = 0

  constructor(capacity = defaultCapacity) {
    this.#capacity = capacity
  }

  get(lane: string): LaneTranscript | undefined {
    return this.#byLane.get(lane)
  }

  /** Its size must not change until it is deleted. */
  set(lane: string, transcript: LaneTranscript): void {
    this.delete(lane)
    this.#byLane.set(lane, transcript)
    this.#size += transcript.size
    for (const oldest of this.#byLane.keys()) {
      if (this.#size <= this.#capacity) return
      this.delete(oldest)
    }
  }

  delete(lane: string): void {
    this.#size -= this.#byLane.get(lane)?.size ?? 0
    this.#byLane.delete(lane)
  }
}
