import { z } from 'zod'

/** A key that no schema knows, and its known neighbours. */
export interface UnknownOption {
  readonly path: readonly string[]
  readonly known: readonly string[]
}

/**
 * The keys of `input` that `schema` does not name, at any depth. An object schema that takes further keys on purpose
 * (`looseObject`, `catchall`) has none; unions and records are left to zod.
 */
export function findUnknownOptions(schema: z.core.$ZodType, input: unknown, path: readonly string[] = []): UnknownOption[] {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray && Array.isArray(input)) {
    return input.flatMap((item: unknown, index) => findUnknownOptions(inner.element, item, [...path, String(index)]))
  }
  if (!(inner instanceof z.ZodObject) || typeof input !== 'object' || input === null || Array.isArray(input)) return []
  const known = Object.keys(inner.shape)
  const takesMore = inner.def.catchall !== undefined && !(inner.def.catchall instanceof z.ZodNever)
  const unknown = takesMore ? [] : Object.keys(input).filter((key) => !known.includes(key))
  const nested = known.flatMap((key) =>
    key in input ? findUnknownOptions(inner.shape[key], (input as Record<string, unknown>)[key], [...path, key]) : [],
  )
  return [...unknown.map((key) => ({ path: [...path, key], known })), ...nested]
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  return wraps ? unwrap(schema.unwrap()) : schema
}
