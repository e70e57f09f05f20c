/** Names a wrong value in an error message without showing what it holds, for that may be a secret. Short strings are shown: they are names. */
export function describeShape(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'string') return value.length <= 64 ? JSON.stringify(value) : `a string of ${value.length} characters`
  if (typeof value === 'object') return 'an object'
  if (value === undefined) return 'undefined'
  return `a ${typeof value}`
}
