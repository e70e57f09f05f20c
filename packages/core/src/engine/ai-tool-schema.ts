import type { z } from 'zod'
import type { JsonSchema } from '@hermes/plugin-sdk'

/** The input of a tool of AI SDK. */
export interface AiSchema {
  readonly input: z.ZodType | JsonSchema
  /** The input as the tool takes it, or what is wrong with it. */
  check(input: unknown): Promise<{ readonly value: unknown } | { readonly issue: string }>
}

const markOfAiSdk = Symbol.for('vercel.ai.schema')

interface StandardSchema {
  validate(input: unknown): unknown
  readonly jsonSchema?: { input(options: { readonly target: string }): unknown } | undefined
}

/**
 * Reads an `inputSchema`: zod 4, `jsonSchema()` and the like of AI SDK, or a standard schema that can be written as JSON Schema.
 * Otherwise what is wrong with it, as a text.
 */
export function aiSchema(schema: unknown): AiSchema | string {
  const read = typeof schema === 'function' && !('~standard' in schema) ? (schema as () => unknown)() : schema
  if ((typeof read !== 'object' && typeof read !== 'function') || read === null) return 'its inputSchema is none'
  if ('_zod' in read) return { input: read as z.ZodType, check: (value) => Promise.resolve({ value }) }
  if (markOfAiSdk in read) return schemaOfAiSdk(read as { readonly jsonSchema?: unknown; readonly validate?: unknown })
  if ('~standard' in read) return schemaOfStandard(read['~standard'] as StandardSchema)
  return 'its inputSchema is neither of zod 4, nor of jsonSchema(), nor a standard schema'
}

function schemaOfAiSdk({ jsonSchema, validate }: { readonly jsonSchema?: unknown; readonly validate?: unknown }): AiSchema | string {
  if (isPromise(jsonSchema)) return 'its JSON Schema is a promise: wait for it, then give jsonSchema() the schema itself'
  return {
    input: jsonSchema as JsonSchema,
    async check(value) {
      if (typeof validate !== 'function') return { value }
      const checked = (await (validate as StandardSchema['validate'])(value)) as {
        readonly success: boolean
        readonly value?: unknown
        readonly error?: unknown
      }
      return checked.success ? { value: checked.value } : { issue: messageOf(checked.error) }
    },
  }
}

function schemaOfStandard(standard: StandardSchema): AiSchema | string {
  const input = jsonSchemaOf(standard)
  if (input === undefined)
    return 'its inputSchema cannot be written as JSON Schema: wrap it by jsonSchema() of AI SDK, or zodSchema() if it is of zod 3'
  return {
    input,
    async check(value) {
      const checked = (await standard.validate(value)) as { readonly value?: unknown; readonly issues?: readonly unknown[] }
      return checked.issues ? { issue: checked.issues.map(messageOf).join('; ') } : { value: checked.value }
    },
  }
}

function jsonSchemaOf({ jsonSchema }: StandardSchema): JsonSchema | undefined {
  try {
    return jsonSchema?.input({ target: 'draft-07' }) as JsonSchema | undefined
  } catch {
    return undefined
  }
}

function isPromise(value: unknown): boolean {
  return typeof (Object(value) as { readonly then?: unknown }).then === 'function'
}

function messageOf(error: unknown): string {
  const { message } = Object(error) as { readonly message?: unknown }
  return typeof message === 'string' ? message : String(error)
}
