import { z } from 'zod'

/**
 * Can this stand as the input of a tool: a zod schema or a JSON Schema of an object? What providers cannot read would fail every
 * request, far from its cause.
 */
export function describesObject(input: unknown): boolean {
  if (!isObject(input)) return false
  const schema = '_zod' in input ? toJsonSchema(input as unknown as z.ZodType) : input
  return schema?.['type'] === 'object' && ['properties', 'parameters'].every((member) => schema[member] === undefined || isObject(schema[member]))
}

function toJsonSchema(schema: z.ZodType): Readonly<Record<string, unknown>> | undefined {
  try {
    return z.toJSONSchema(schema, { io: 'input' })
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
