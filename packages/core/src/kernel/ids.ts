import { randomBytes } from 'node:crypto'

/** Where new ids come from, so that a test can foretell them. */
export interface Ids {
  /** Unique; sorts by the time of its making within a process: `turn_01hq…`. */
  next(kind: string): string
  /** 24 characters of base32, of which 15 are random: 75 bits. The key of a piece. Those of one time lie side by side in an index. */
  key(): string
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'
/** Random characters are made so many at once: fetching the bytes of one id costs more than the id. */
const poolSize = 4096

class RandomIds implements Ids {
  #pool = ''
  #used = poolSize

  next(kind: string): string {
    return `${kind}_${Date.now().toString(36).padStart(9, '0')}${this.#characters(16)}`
  }

  key(): string {
    return timeOf(Date.now()) + this.#characters(15)
  }

  #characters(count: number): string {
    if (this.#used + count > poolSize) {
      this.#pool = Array.from(randomBytes(poolSize), (byte) => base32[byte & 31]).join('')
      this.#used = 0
    }
    this.#used += count
    return this.#pool.slice(this.#used - count, this.#used)
  }
}

/** 9 characters of base32 for milliseconds since the epoch. */
function timeOf(ms: number): string {
  let text = ''
  for (let rest = ms, place = 0; place < 9; place++, rest = Math.floor(rest / 32)) text = base32.charAt(rest % 32) + text
  return text
}

/** Random ids. */
export const randomIds: Ids = new RandomIds()
