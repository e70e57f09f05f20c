/**
 * How long a server asks us to wait, milliseconds, never negative: the header `Retry-After` as a number of seconds or an HTTP
 * date, whatever its case. Absent or unreadable: `undefined`.
 */
export function retryAfterMs(headers: unknown, now: number): number | undefined {
  const value = headerOf(headers, 'retry-after')?.trim()
  if (!value) return undefined
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return Math.max(0, Number(value) * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const entries: Iterable<readonly [unknown, unknown]> = headers instanceof Headers ? headers.entries() : Object.entries(headers)
  for (const [key, value] of entries) if (String(key).toLowerCase() === name) return String(value)
  return undefined
}
