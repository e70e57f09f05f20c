import { inspect } from 'node:util'
import { z } from 'zod'

const mark = Symbol.for('@hermes/secret')
const hidden = '[secret]'

/** A value that prints, logs and serialises as `[secret]`. */
export interface Secret {
  reveal(): string
}

class HiddenSecret implements Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
    Object.defineProperty(this, mark, { value: true })
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return hidden
  }

  toJSON(): string {
    return hidden
  }

  [inspect.custom](): string {
    return hidden
  }
}

/** Hides a value. */
export function hideSecret(value: string): Secret {
  return new HiddenSecret(value)
}

/** Is it a secret? Works across copies of the package. */
export function isSecret(value: unknown): value is Secret {
  return typeof value === 'object' && value !== null && mark in value
}

/** An option that holds a secret: a string that is not empty goes in, a `Secret` comes out. */
export function secret(): z.ZodType<Secret, string> {
  return z.string('must be a string').trim().min(1, 'must not be empty').transform(hideSecret)
}
