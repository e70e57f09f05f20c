/** What a store would give back of plain data, as JSON makes it; nobody can change it. */
export function frozenCopy<T>(value: T): T {
  return freeze(JSON.parse(JSON.stringify(value)) as T)
}

/** Freezes plain data through and through, however deep it is. */
export function freeze<T>(value: T): T {
  const met: unknown[] = [value]
  while (met.length > 0) {
    const next = met.pop()
    if (typeof next !== 'object' || next === null) continue
    met.push(...Object.values(next))
    Object.freeze(next)
  }
  return value
}
