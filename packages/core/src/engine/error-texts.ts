/** What an error says in its members and in its body. */
export interface ErrorTexts {
  readonly texts: readonly string[]
  /** Codes that are numbers. */
  readonly codes: readonly number[]
  /** What another provider said, handed on by an aggregator whose own message says nothing. */
  readonly passedOn?: string | undefined
}

/** Members that say what is wrong. Others may quote the request, whose words say nothing about the error. */
const tellingMembers = new Set(['message', 'msg', 'code', 'type', 'status', 'reason', 'detail', 'param', 'error'])
const leadingMembers = ['error', 'errors', 'data', 'responseBody', 'metadata', 'raw', 'detail', 'body', 'innererror', 'cause']
const depthLimit = 6
const textChars = 4_000
const textsLimit = 50

/** Reads what an error says: its own words and codes, those of its body, and those in JSON that a member holds as a text. */
export function errorTexts(error: unknown): ErrorTexts {
  const texts: string[] = []
  const codes: number[] = []
  let passedOn: string | undefined
  const read = (value: unknown, member: string, depth: number): void => {
    if (depth > depthLimit || texts.length >= textsLimit) return
    if (typeof value === 'string') {
      const parsed = leadingMembers.includes(member) ? parseObject(value) : undefined
      if (parsed !== undefined) return read(parsed, member, depth + 1)
      texts.push(value.slice(0, textChars))
      return
    }
    if (Array.isArray(value)) return value.slice(0, textsLimit).forEach((item) => read(item, member, depth + 1))
    if (typeof value !== 'object' || value === null) return
    for (const [name, item] of Object.entries(membersOf(value))) {
      if (name === 'raw') passedOn ??= passedOnMessage(item)
      if (name === 'code' && typeof item === 'number') codes.push(item)
      if (leadingMembers.includes(name) || (tellingMembers.has(name) && typeof item === 'string')) read(item, name, depth + 1)
    }
  }
  read(error, 'error', 0)
  return { texts, codes, passedOn }
}

/** An error's message is no own member that can be listed. */
function membersOf(value: object): object {
  return value instanceof Error ? Object.assign({}, value, { message: value.message, cause: value.cause }) : value
}

function passedOnMessage(raw: unknown): string | undefined {
  const said = typeof raw === 'string' ? (parseObject(raw) ?? raw) : raw
  if (typeof said === 'string') return said
  const { error, message } = Object(said) as { readonly error?: unknown; readonly message?: unknown }
  if (typeof message === 'string') return message
  return error === undefined ? undefined : passedOnMessage(error)
}

function parseObject(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
