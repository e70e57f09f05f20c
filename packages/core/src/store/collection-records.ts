/** Where a plugin keeps values. */
export interface CollectionName {
  readonly plugin: string
  readonly collection: string
}

/** A value that a plugin keeps. */
export interface StoredDocument {
  readonly key: string
  /** JSON. */
  readonly value: string
  /** Higher than that of every earlier write of the store. */
  readonly version: number
}

/** A change of one key. */
export interface DocumentWrite {
  readonly key: string
  /** JSON; absent: the key is deleted. */
  readonly value?: string | undefined
  readonly ifVersion?: number | 'absent' | undefined
  readonly expiresAt?: number | undefined
}
