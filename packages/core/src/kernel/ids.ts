import { randomBytes } from 'node:crypto'

/** Where new ids come from, so that a test can foretell them. */
export interface Ids {
  /** Unique; sorts by the time of its making within a process: `turn_01hq…`. */
  next(kind: string): string
  /** 24 characters of base32: 120 random bits. The key of a piece. */
  key(): string
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'
/** Random bytes are fetched so many at once: fetching those of one id costs more than the id. */
const poolBytes = 4096

class RandomIds implements Ids {
  #pool = randomBytes(poolBytes)
  #used = 0

  next(kind: string): string {
    return `${kind}_${Date.now().toString(36).padStart(9, '0')}${this.#characters(16)}`
  }

  key(): string {
    return this.#characters(24)
  }

  #characters(count: number): string {
    if (this.#used + count > poolBytes) {
      this.#pool = randomBytes(poolBytes)
      this.#used = 0
    }
    let text = ''
    for (const byte of this.#pool.subarray(this.#used, this.#used + count)) text += base32[byte & 31]
    this.#used += count
    return text
  }
}

/** Random ids. */
export const randomIds: Ids = new RandomIds()
