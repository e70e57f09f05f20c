import type { Payload } from './payload-reader.js'

/** An integer, also from the text of a form; `undefined` for everything else. */
export function integerOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  return typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : undefined
}

/** True for `true`, and for what the real server takes as true in a form. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 'True' || value === '1' || value === 1
}

/** A list of texts, e.g. of `allowed_updates`; what is not text is left out. `undefined` when there is no list. */
export function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined
}

/** A parameter that is an object, e.g. `reply_parameters`. */
export function objectOf(value: unknown): Payload | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : undefined
}
