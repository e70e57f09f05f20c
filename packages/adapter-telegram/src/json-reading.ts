/** An object of JSON of which nothing is known: Bot API servers and proxies send what they like. */
export interface LooseObject {
  readonly [key: string]: unknown
}

/** The value as an object, or `undefined`. */
export function asObject(value: unknown): LooseObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LooseObject) : undefined
}

/** The value as a string, or `undefined`. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The value as an integer that JavaScript holds exactly, or `undefined`. */
export function asInteger(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

/** Half a surrogate pair is no Unicode and breaks stores and wires: each becomes U+FFFD, so that lengths and offsets stay. */
export function replaceLoneSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
