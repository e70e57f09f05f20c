// A typed command comes in; its effect and its reply go out.

export { menuOf } from './built-in-commands.js'
export { composeMenu, type MenuCommand } from './command-menu.js'
export { parseCommand, type ParsedCommand } from './parse-command.js'
export type { CommandCall, CommandPorts } from './ports.js'
export { holdsWhatFollows, reservedCommandNames, runCommand } from './run-command.js'
