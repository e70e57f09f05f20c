import { describeShape } from './describe-shape.js'
import { HermesError } from './errors.js'

/** A member of a definition, what it must pass, and what to say where it does not. */
export type MemberRule = readonly [member: string, isValid: (value: unknown) => boolean, requirement: string]

/** Checks what a JavaScript author may have got wrong. Throws one `value.invalid` with every issue. */
export function checkDefinition(kind: string, definition: unknown, rules: readonly MemberRule[]): void {
  if (typeof definition !== 'object' || definition === null) {
    throw new HermesError('value.invalid', `A ${kind} must be an object, and got ${describeShape(definition)}.`, {
      where: kind,
      issues: ['must be an object'],
    })
  }
  const members = definition as Readonly<Record<string, unknown>>
  const issues = rules.flatMap(([member, isValid, requirement]) => (isValid(members[member]) ? [] : [`${member} ${requirement}`]))
  if (issues.length === 0) return
  const where = `${kind} ${describeShape(members['name'])}`
  throw new HermesError('value.invalid', `The ${where} cannot be used: ${issues.join('; ')}.`, { where, issues })
}
