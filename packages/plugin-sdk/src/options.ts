import type { z } from 'zod'
import { closestName } from './closest-name.js'
import { HermesError, type OptionIssue } from './errors.js'
import { findUnknownOptions, type UnknownOption } from './unknown-options.js'

/**
 * Parses options at a door and freezes them; the input stays as it is. `where` names the door: `telegram()`.
 * Throws `options.invalid` with every issue: its path, what is wrong, and for an unknown key, at any depth, the likely one.
 */
export function parseOptions<S extends z.ZodObject>(schema: S, input: unknown, where: string): Readonly<z.output<S>> {
  const options = input ?? {}
  const result = schema.safeParse(options)
  const unknown = findUnknownOptions(schema, options).map(toUnknownIssue)
  if (result.success && unknown.length === 0) return Object.freeze(result.data) as Readonly<z.output<S>>
  const found = new Set(unknown.map((issue) => issue.path))
  const others = (result.error?.issues ?? []).flatMap(toIssues).filter((issue) => !found.has(issue.path))
  const issues = [...unknown, ...others]
  throw new HermesError('options.invalid', `${where} cannot use these options:\n${issues.map(toLine).join('\n')}`, { issues })
}

function toUnknownIssue({ path, known }: UnknownOption): OptionIssue {
  return { path: path.join('.'), message: 'unknown option', didYouMean: closestName(path.at(-1) ?? '', known) }
}

function toIssues(issue: z.core.$ZodIssue): OptionIssue[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'unknown option' }))
  return [{ path: path.join('.') || '(options)', message: issue.message }]
}

function toLine({ path, message, didYouMean }: OptionIssue): string {
  return `  ${path}: ${message}${didYouMean ? ` (did you mean ${didYouMean}?)` : ''}`
}
