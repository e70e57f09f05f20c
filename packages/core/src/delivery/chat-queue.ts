import type { QueuedPiece } from './queued-piece.js'

/** The pieces of one chat that are in memory, in the order of the store. The first one is under way. */
export class ChatQueue {
  readonly #pieces: QueuedPiece[] = []

  get first(): QueuedPiece | undefined {
    return this.#pieces[0]
  }

  get size(): number {
    return this.#pieces.length
  }

  /** Puts a piece in its place, but never before the one that is under way. */
  add(piece: QueuedPiece): void {
    let place = this.#pieces.length
    while (place > 1 && (this.#pieces[place - 1]?.row.seq ?? 0) > piece.row.seq) place--
    this.#pieces.splice(place, 0, piece)
  }

  replaceFirst(successors: readonly QueuedPiece[]): void {
    this.#pieces.splice(0, 1, ...successors)
  }

  /** Ends the streams of all pieces. */
  abandonStreams(): void {
    for (const { stream } of this.#pieces) stream?.abandon()
  }
}
