// A typed command comes in; its effect and its reply go out.

export { parseCommand, type ParsedCommand } from './parse-command.js'
export type { CommandCall, CommandPorts } from './ports.js'
export { holdsWhatFollows, reservedCommandNames, runCommand } from './run-command.js'
