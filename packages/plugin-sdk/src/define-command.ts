import type { Command } from './command.js'
import { HermesError } from './errors.js'

const namePattern = /^[a-z0-9_-]{1,32}$/

/** Types a command; throws `value.invalid` for a name or a `run` of a wrong shape. */
export function defineCommand(command: Command): Command {
  const issues: string[] = []
  if (!namePattern.test(command.name)) issues.push(`name must match ${namePattern}`)
  if (typeof command.description !== 'string' || command.description === '') issues.push('description must not be empty')
  if (typeof command.run !== 'function') issues.push('run must be a function')
  if (issues.length > 0)
    throw new HermesError('value.invalid', `Command ${JSON.stringify(command.name)}: ${issues.join('; ')}.`, { where: 'command', issues })
  return command
}
