import type { Registration, Secret } from '@hermes/plugin-sdk'
import { registration } from './registration.js'

/** Takes known secrets out of texts. */
export interface Redactor {
  /**
   * From now on the value becomes `[secret]` in every text, also where it stands URL-encoded, JSON-escaped or in base64. A value
   * of fewer than 4 characters is not looked for: it would tear ordinary words apart and hides nothing from a guess.
   * A value that was added twice stays known until both registrations are disposed.
   */
  add(secret: Secret): Registration
  /** Needs no `this`: it may be handed on. */
  readonly redact: (text: string) => string
}

const shortestSecret = 4
const shortestBase64 = 8
const replacement = '[secret]'

/** Makes a redactor that knows no secret yet. */
export function createRedactor(): Redactor {
  const known = new Set<readonly string[]>()
  let pattern: RegExp | undefined
  return {
    add(secret) {
      const forms = writtenForms(secret.reveal())
      known.add(forms)
      pattern = matchAny([...known].flat())
      return registration(() => {
        known.delete(forms)
        pattern = matchAny([...known].flat())
      })
    },
    redact: (text) => (pattern ? text.replace(pattern, replacement) : text),
  }
}

function writtenForms(value: string): string[] {
  if (value.length < shortestSecret) return []
  const bytes = Buffer.from(value)
  const urlEncoded = encodeURIComponent(bytes.toString())
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    urlEncoded,
    urlEncoded.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    ...[0, 1, 2].flatMap((offset) => base64Forms(bytes, offset)),
  ]
}

/** How base64 shows the bytes where `offset` (mod 3) others stand before them, less the characters that neighbours have a part in. */
function base64Forms(bytes: Buffer, offset: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes])
  const first = Math.ceil((offset * 8) / 6)
  const end = Math.floor((padded.length * 8) / 6)
  return [padded.toString('base64'), padded.toString('base64url')]
    .map((text) => text.slice(first, end))
    .filter((text) => text.length >= shortestBase64)
}

/** The longest first: a short secret must not break a longer one that contains it. */
function matchAny(forms: readonly string[]): RegExp | undefined {
  const unique = [...new Set(forms)].toSorted((left, right) => right.length - left.length)
  if (unique.length === 0) return undefined
  return new RegExp(unique.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)).join('|'), 'g')
}
