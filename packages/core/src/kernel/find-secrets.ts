import { isSecret, type Secret } from '@hermes/plugin-sdk'

/** Every secret in parsed options, however deep in lists and plain objects. Other objects (a client, a logger) are not looked into. */
export function findSecrets(options: unknown): Secret[] {
  const found = new Set<Secret>()
  const seen = new Set<object>()
  const open: unknown[] = [options]
  while (open.length > 0) {
    const value = open.pop()
    if (isSecret(value)) found.add(value)
    else if (isPlain(value) && !seen.has(value)) {
      seen.add(value)
      open.push(...Object.values(value))
    }
  }
  return [...found]
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
