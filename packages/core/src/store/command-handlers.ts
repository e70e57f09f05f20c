import type { StoreCommandName, StoreCommands } from './commands.js'

/** What a store runs for each command. A handler that throws leaves no trace. */
export type CommandHandlers<Context, N extends StoreCommandName = StoreCommandName> = {
  readonly [Name in N]: (context: Context, args: StoreCommands[Name]['args']) => StoreCommands[Name]['result']
}

/** The commands of one group: `CommandGroup<'inbox'>` are those whose names begin with `inbox.`. */
export type CommandGroup<G extends string> = Extract<StoreCommandName, `${G}.${string}`>
