import type { RoutedChat } from '@hermes/plugin-sdk'

/** Somebody who may not speak was given a code. The code itself is nowhere: only its salted hash. */
export interface PairingRequest {
  /** Instance name. */
  readonly adapter: string
  readonly userId: string
  /** What the person is called, for whoever looks at the list. */
  readonly name?: string | undefined
  /** The direct chat in which the code was given. */
  readonly chat: RoutedChat
  /** Hexadecimal, as `hash`, which is SHA-256 of salt and code. */
  readonly salt: string
  readonly hash: string
  readonly requestedAt: number
  readonly expiresAt: number
}

/** Somebody who may speak because a request was approved. */
export interface PairedPerson {
  /** Instance name. */
  readonly adapter: string
  readonly userId: string
  readonly name?: string | undefined
  readonly approvedAt: number
  /** Id of the admin who approved it in a chat; absent: the application did. */
  readonly approvedBy?: string | undefined
}

/** No code of this instance is taken before `until`. */
export interface PairingLock {
  readonly adapter: string
  readonly until: number
}

/** All that is known of pairing. */
export interface PairingRecords {
  readonly requests: readonly PairingRequest[]
  readonly paired: readonly PairedPerson[]
  readonly locks: readonly PairingLock[]
}
