import type { JsonSchema, JsonValue } from '@hermes/plugin-sdk'

const patternMembers = new Set(['pattern', 'format'])

/** A JSON Schema without patterns and formats, which grammars of local servers cannot always express. Properties may be named so. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  return withoutPatterns(schema) as JsonSchema
}

function withoutPatterns(value: JsonValue, isNameMap = false): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withoutPatterns(item as JsonValue))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name, member]) => isNameMap || !patternMembers.has(name) || typeof member !== 'string')
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutPatterns(member as JsonValue, !isNameMap && isMapOfSchemas(name))]))
}

function isMapOfSchemas(member: string): boolean {
  return member === 'properties' || member === '$defs' || member === 'definitions'
}
