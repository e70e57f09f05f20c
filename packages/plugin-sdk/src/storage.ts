import type { z } from 'zod'

/** What a plugin keeps: durable where the gateway's store is, and private to the plugin's id. */
export interface PluginStorage {
  /**
   * Values that fit a schema, by key. They are kept as JSON: what the schema makes of a value must fit it again when it comes back. The name
   * is 1 to 64 characters of `a-z 0-9 . _ -`. Throws `value.invalid` for another one.
   */
  collection<T>(name: string, schema: z.ZodType<T>): Collection<T>
}

/**
 * A key is 1 to 256 characters without control characters, a value at most 64 KiB of JSON. Everything rejects with `value.invalid` for what
 * does not fit (also when it was stored under an older schema), or with the store's errors, such as `store.busy`; what is called before
 * the gateway has opened its store waits for that.
 */
export interface Collection<T> {
  get(key: string): Promise<Stored<T> | undefined>
  /** `undefined`: nothing was written, for `ifVersion` does not fit: somebody was faster. */
  put(write: Write<T>): Promise<Stored<T> | undefined>
  /** Was it there, in this version? */
  delete(key: string, ifVersion?: number): Promise<boolean>
  /** By key, in the order of their code points; those behind `after`. `limit` is 100, and at most 200. */
  list(range?: CollectionRange): Promise<readonly Stored<T>[]>
  /** All or nothing, at most 100 writes, each of another key. `false`: nothing was written, for one of the `ifVersion` does not fit. */
  batch(writes: readonly (Write<T> | Deletion)[]): Promise<boolean>
}

export interface Stored<T> {
  readonly key: string
  readonly value: T
  /** Another one after every write, also after a deletion. */
  readonly version: number
}

export interface Write<T> {
  readonly key: string
  readonly value: T
  /** Writes only over this version, or only where nothing is. */
  readonly ifVersion?: number | 'absent' | undefined
  /** From then on it is not there any more. Milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
}

export interface Deletion {
  readonly key: string
  readonly isDeleted: true
}

export interface CollectionRange {
  readonly prefix?: string | undefined
  readonly after?: string | undefined
  readonly limit?: number | undefined
}
