import type { Command, CommandMenu, CommandSpec } from '@hermes/plugin-sdk'

const nameLimit = 32

/** A command that may stand in a menu. */
export interface MenuCommand extends CommandSpec {
  /** `guaranteed`: in every menu, however small. `built-in`: before those of plugins. */
  readonly rank: 'guaranteed' | 'built-in' | 'plugin'
}

/** A menu, and how many commands found no place in it. */
export interface ComposedMenu {
  readonly commands: readonly CommandSpec[]
  readonly hidden: number
}

/** Chooses what a menu shows, in order: what is guaranteed, what else is built in, what plugins brought. */
export function composeMenu(commands: readonly MenuCommand[], menu: CommandMenu): ComposedMenu {
  const names = menuNames(commands.map((command) => command.name))
  const candidates = (['guaranteed', 'built-in', 'plugin'] as const).flatMap((rank) =>
    commands.filter((command) => command.rank === rank && names.has(command.name) && fits(command, menu)),
  )
  const guaranteed = candidates.filter((command) => command.rank === 'guaranteed').length
  const shown = candidates.slice(0, Math.max(menu.limit, guaranteed))
  return { commands: shown.map((command) => toSpec(command, names.get(command.name) ?? command.name, menu)), hidden: commands.length - shown.length }
}

/** The command that people know by this name from a menu; its own name may have hyphens. */
export function findByMenuName(menuName: string, commands: readonly Command[]): Command | undefined {
  for (const [name, shown] of menuNames(commands.map((command) => command.name))) {
    if (shown === menuName) return commands.find((command) => command.name === name)
  }
  return undefined
}

/**
 * The names that menus show, by the names of the commands: hyphens become underscores. A name that is taken then is cut to 31
 * characters and gets a digit; where all ten are taken, the command is in no menu.
 */
function menuNames(names: readonly string[]): ReadonlyMap<string, string> {
  const shown = new Map(names.filter((name) => !name.includes('-')).map((name) => [name, name]))
  const taken = new Set(shown.keys())
  for (const name of names.filter((each) => each.includes('-'))) {
    const plain = name.replaceAll('-', '_')
    const numbered = Array.from({ length: 10 }, (_, digit) => `${plain.slice(0, nameLimit - 1)}${digit}`)
    const free = [plain, ...numbered].find((candidate) => !taken.has(candidate))
    if (free === undefined) continue
    taken.add(free)
    shown.set(name, free)
  }
  return shown
}

function fits({ argumentHint }: MenuCommand, { takesArguments = true }: CommandMenu): boolean {
  return takesArguments || !argumentHint?.startsWith('<')
}

function toSpec({ description, argumentHint, rank }: MenuCommand, name: string, { descriptionLimit }: CommandMenu): CommandSpec {
  const shown = rank === 'plugin' ? cut(description, descriptionLimit) : description
  return { name, description: shown, ...(argumentHint !== undefined && { argumentHint }) }
}

/** Never through a pair of surrogates. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
