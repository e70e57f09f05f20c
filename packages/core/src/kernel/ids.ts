import { randomBytes } from 'node:crypto'

/** Where new ids come from, so that a test can foretell them. */
export interface Ids {
  /** Unique; sorts by the time of its making within a process: `turn_01hq…`. */
  next(kind: string): string
  /** 24 characters of base32: 120 random bits. The key of a piece. */
  key(): string
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** Random ids. */
export const randomIds: Ids = {
  next: (kind) => `${kind}_${Date.now().toString(36).padStart(9, '0')}${randomBase32(16)}`,
  key: () => randomBase32(24),
}

function randomBase32(length: number): string {
  let text = ''
  for (const byte of randomBytes(length)) text += base32[byte & 31]
  return text
}
