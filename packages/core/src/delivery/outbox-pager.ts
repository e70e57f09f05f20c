import type { OutboxRecord } from '../store/index.js'

/** Rows of one reading. */
const pageSize = 200

/** What the pager works with. */
export interface OutboxPagerPorts {
  /** Open rows behind a `seq`, in order. */
  read(after: number, limit: number): Promise<readonly OutboxRecord[]>
  /** How many more rows memory takes. */
  room(): number
  /** Takes a row into memory; one that is there already is left alone. */
  accept(row: OutboxRecord): void
}

/**
 * Knows up to where the rows of an instance are in memory, and loads what is not, page by page. It begins behind: what an earlier
 * life left is loaded first.
 */
export class OutboxPager {
  readonly #ports: OutboxPagerPorts
  #after = 0
  #isBehind = true
  #hasRecovered = false
  #hasNews = false
  #filling: Promise<void> | undefined

  constructor(ports: OutboxPagerPorts) {
    this.#ports = ports
  }

  /** The store may hold rows that are not in memory. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** All that an earlier life left was loaded. */
  get hasRecovered(): boolean {
    return this.#hasRecovered
  }

  /** The row stays in the store for now. */
  leave(row: OutboxRecord): void {
    this.#hasNews = true
    if (this.#isBehind) return
    this.#isBehind = true
    this.#after = row.seq - 1
  }

  /** Loads rows until nothing is behind or memory is full. Rejects as the reading does. */
  fill(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined
    })
    return this.#filling
  }

  async #fill(): Promise<void> {
    for (let room = this.#ports.room(); this.#isBehind && room > 0; room = this.#ports.room()) {
      // A row that is left while the page is on its way may not be in it.
      this.#hasNews = false
      const limit = Math.min(pageSize, room)
      const rows = await this.#ports.read(this.#after, limit)
      for (const row of rows) this.#ports.accept(row)
      this.#after = rows.at(-1)?.seq ?? this.#after
      if (rows.length < limit && !this.#hasNews) {
        this.#isBehind = false
        this.#hasRecovered = true
      }
    }
  }
}
