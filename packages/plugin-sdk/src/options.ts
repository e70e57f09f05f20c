import type { z } from 'zod'
import { HermesError, type OptionIssue } from './errors.js'

/**
 * Parses options at a door and freezes them. `where` names the door: `telegram()`.
 * Throws `options.invalid` with every issue: its path, what is wrong, and for an unknown key the likely one.
 */
export function parseOptions<S extends z.ZodObject>(schema: S, input: unknown, where: string): Readonly<z.output<S>> {
  const result = schema.strict().safeParse(input ?? {})
  if (result.success) return Object.freeze(result.data) as Readonly<z.output<S>>
  const known = Object.keys(schema.shape)
  const issues = result.error.issues.flatMap((issue) => toOptionIssues(issue, known))
  const lines = issues.map((issue) => `  ${issue.path}: ${issue.message}${issue.didYouMean ? ` (did you mean ${issue.didYouMean}?)` : ''}`)
  throw new HermesError('options.invalid', `${where} cannot use these options:\n${lines.join('\n')}`, { issues })
}

function toOptionIssues(issue: z.core.$ZodIssue, known: readonly string[]): OptionIssue[] {
  const path = issue.path.map(String).join('.')
  if (issue.code !== 'unrecognized_keys') return [{ path: path || '(options)', message: issue.message }]
  return issue.keys.map((key) => ({
    path: path ? `${path}.${key}` : key,
    message: 'unknown option',
    didYouMean: path ? undefined : closestName(key, known),
  }))
}

/** The name that differs least, if it differs in at most a third of its letters. */
export function closestName(wrong: string, names: readonly string[]): string | undefined {
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase())
    if (distance <= Math.max(1, Math.floor(name.length / 3)) && (!best || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
