/** What plain data may be at most. */
export interface DataLimits {
  /** Objects and lists inside each other. */
  readonly depth: number
  /** Characters of all texts and keys, and one for each other value. */
  readonly size: number
}

/**
 * Says what is wrong with a value that should be JSON within limits; `undefined`: nothing. It ends early on what is too much, so a
 * value may be as deep, as large or as circular as it likes.
 */
export function findDataIssue(value: unknown, limits: DataLimits): string | undefined {
  let room = limits.size
  const visit = (part: unknown, depth: number): string | undefined => {
    room -= typeof part === 'string' ? part.length : 1
    if (room < 0) return `must not be larger than ${limits.size}`
    if (typeof part === 'number') return Number.isFinite(part) ? undefined : 'must hold finite numbers only'
    if (part === null || part === undefined || typeof part === 'string' || typeof part === 'boolean') return undefined
    if (typeof part !== 'object' || !isPlain(part)) return 'must be plain data'
    if (depth >= limits.depth) return `must not be nested deeper than ${limits.depth}`
    if (Array.isArray(part)) return firstOf(part, (item) => visit(item, depth + 1))
    return firstOf(Object.entries(part), ([key, item]) => {
      room -= key.length
      return visit(item, depth + 1)
    })
  }
  return visit(value, 0)
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function firstOf<T>(items: Iterable<T>, find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
