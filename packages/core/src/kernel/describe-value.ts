import { isSecret, type JsonObject, type JsonValue } from '@hermes/plugin-sdk'

/** How much of a value is shown; `values` counts those of all levels together. */
const limits = { depth: 4, entries: 50, characters: 4096, values: 1000 }
/** Members that are a credential by their name alone. */
const credentialName = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|api-?_?key$|token$|secret$|password$/i
/** Members of errors that hold what was sent or received: people's words, headers, whole clients. */
const traffic = /^(?:config|options|data|payload|headers|body|req|res|(?:request|response)(?:Headers|Body|BodyValues)?)$/

interface View {
  readonly redact: (text: string) => string
  readonly depth: number
  /** How many values may still be looked at; shared by all levels. */
  readonly budget: { left: number }
}

/**
 * What a log may show of any value: plain data, at most 4 levels deep, 50 entries wide, 4096 characters long and 1000 values in
 * all, with secrets taken out. Of an error it shows the causes, too, and leaves out the traffic that clients hang onto theirs. Calls nothing of
 * the value but its getters, and survives those that throw.
 */
export function describeValue(value: unknown, redact: (text: string) => string): JsonValue | undefined {
  return attempt(() => describe(value, { redact, depth: 0, budget: { left: limits.values } }))
}

function attempt(read: () => JsonValue | undefined): JsonValue | undefined {
  try {
    return read()
  } catch {
    return '[unreadable]'
  }
}

function describe(value: unknown, view: View): JsonValue | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return shorten(view.redact(value))
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'symbol') return view.redact(value.toString())
  if (typeof value === 'function') return '[function]'
  return describeObject(value, view)
}

function describeObject(value: object, view: View): JsonValue {
  if (isSecret(value)) return '[secret]'
  if (value instanceof Error) return describeError(value, view)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof URL) return shorten(view.redact(value.href))
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Map || value instanceof Set) return `[${value.size} entries]`
  if (view.depth >= limits.depth) return Array.isArray(value) ? '[list]' : '[object]'
  return Array.isArray(value) ? describeList(value, view) : describeMembers(value, Object.keys(value), view)
}

function describeError(error: Error, view: View): JsonValue {
  const own = ['name', 'message', 'code', 'stack'].filter((name) => name in error)
  if (view.depth >= limits.depth) return describeMembers(error, own, view)
  const inherited = ['cause', 'errors'].filter((name) => name in error)
  const extras = Object.keys(error).filter((name) => !traffic.test(name))
  return describeMembers(error, [...new Set([...own, ...inherited, ...extras])], view)
}

function describeList(list: readonly unknown[], view: View): JsonValue {
  const inner = { ...view, depth: view.depth + 1 }
  const shown = list.slice(0, roomFor(list, view)).map((item) => attempt(() => describe(item, inner)) ?? null)
  return list.length > shown.length ? [...shown, `[${list.length - shown.length} more]`] : shown
}

function describeMembers(value: object, names: readonly string[], view: View): JsonObject {
  const inner = { ...view, depth: view.depth + 1 }
  const describeMember = (name: string): JsonValue | undefined =>
    credentialName.test(name) ? '[secret]' : attempt(() => describe((value as Record<string, unknown>)[name], inner))
  const shown = names.slice(0, roomFor(names, view))
  const members = shown.map((name): [string, JsonValue | undefined] => [shorten(view.redact(name)), describeMember(name)])
  if (names.length > shown.length) members.push(['…', `[${names.length - shown.length} more]`])
  return Object.fromEntries(members)
}

/** How many of a value's members are looked at: all of them are taken from the budget before the members of each. */
function roomFor(members: readonly unknown[], { budget }: View): number {
  const room = Math.min(members.length, limits.entries, budget.left)
  budget.left -= room
  return room
}

function shorten(text: string): string {
  return text.length > limits.characters ? `${text.slice(0, limits.characters)}… [${text.length - limits.characters} more]` : text
}
