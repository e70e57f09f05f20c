import type { Clock } from '@hermes/plugin-sdk'
import type { PairedPerson, PairingRecords, PairingRequest } from '../store/index.js'

/** The bounds of pairing. They hold for each adapter instance. */
export const pairingLimits = {
  /** A code is good for an hour. */
  lifetimeMs: 3_600_000,
  /** So many people have a code at once … */
  pending: 3,
  /** … and each gets one in ten minutes. */
  quietMs: 600_000,
  /** So many wrong codes in a row … */
  failures: 5,
  /** … and no code is given or taken for an hour. */
  lockMs: 3_600_000,
} as const

/**
 * What the store holds of pairing, as far as each event has to be judged by it: at once, and without a write for those who certainly get
 * nothing. The store decides; where another process changed it, memory learns of that at the next start.
 */
export class PairingMemory {
  readonly #clock: Clock
  readonly #paired = new Map<string, Set<string>>()
  /** At most as many of an instance as may be pending, and no expired ones beside them. */
  readonly #requests = new Map<string, Map<string, Pick<PairingRequest, 'requestedAt' | 'expiresAt'>>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  load({ requests, paired }: PairingRecords): void {
    for (const request of requests) this.asked(request)
    for (const person of paired) this.#pairedOf(person.adapter).add(person.userId)
  }

  isPaired(adapter: string, userId: string): boolean {
    return this.#paired.get(adapter)?.has(userId) ?? false
  }

  reserve(adapter: string, userId: string): boolean {
    const now = this.#clock.now()
    const requests = this.#openOf(adapter, now)
    const earlier = requests.get(userId)
    if (earlier && earlier.requestedAt > now - pairingLimits.quietMs) return false
    if (!earlier && requests.size >= pairingLimits.pending) return false
    requests.set(userId, { requestedAt: now, expiresAt: now + pairingLimits.lifetimeMs })
    return true
  }

  release(adapter: string, userId: string): void {
    this.#requests.get(adapter)?.delete(userId)
  }

  asked({ adapter, userId, requestedAt, expiresAt }: PairingRequest): void {
    this.#openOf(adapter, this.#clock.now()).set(userId, { requestedAt, expiresAt })
  }

  approved({ adapter, userId }: Pick<PairedPerson, 'adapter' | 'userId'>): void {
    this.release(adapter, userId)
    this.#pairedOf(adapter).add(userId)
  }

  revoked(adapter: string, userId: string): void {
    this.release(adapter, userId)
    this.#paired.get(adapter)?.delete(userId)
  }

  #pairedOf(adapter: string): Set<string> {
    const known = this.#paired.get(adapter) ?? new Set()
    this.#paired.set(adapter, known)
    return known
  }

  #openOf(adapter: string, now: number): Map<string, Pick<PairingRequest, 'requestedAt' | 'expiresAt'>> {
    const known = this.#requests.get(adapter) ?? new Map<string, Pick<PairingRequest, 'requestedAt' | 'expiresAt'>>()
    this.#requests.set(adapter, known)
    for (const [userId, { expiresAt }] of known) if (expiresAt <= now) known.delete(userId)
    return known
  }
}
