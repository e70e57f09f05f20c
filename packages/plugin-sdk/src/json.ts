/** What crosses a seam of hermes: plain data that survives a restart. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** Members that are `undefined` are dropped, as JSON does. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>
