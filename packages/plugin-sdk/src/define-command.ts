import { checkDefinition } from './check-definition.js'
import type { Command } from './command.js'

const namePattern = /^[a-z0-9_-]{1,32}$/
const tiers: readonly unknown[] = [undefined, 'user', 'admin']
const busyModes: readonly unknown[] = [undefined, 'run', 'reject', 'interrupt']

/** Types a command, and returns it as it is. Throws `value.invalid`, naming the command, for a wrong shape. */
export function defineCommand(command: Command): Command {
  checkDefinition('command', command, [
    ['name', (name) => typeof name === 'string' && namePattern.test(name), `must match ${namePattern}`],
    ['description', (description) => typeof description === 'string' && description !== '', 'must be a text that is not empty'],
    ['whileBusy', (whileBusy) => busyModes.includes(whileBusy), 'must be run, reject or interrupt'],
    ['tier', (tier) => tiers.includes(tier), 'must be user or admin'],
    ['run', (run) => typeof run === 'function', 'must be a function'],
  ])
  return command
}
