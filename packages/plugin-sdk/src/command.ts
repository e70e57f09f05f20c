import type { Author, RoutedChat } from './addresses.js'
import type { Awaitable } from './json.js'

/** A slash command. */
export interface Command {
  /** Lower case, 1 to 32 characters of `a-z 0-9 _ -`, without the slash. */
  readonly name: string
  readonly description: string
  /** `<x>`: required, `[x]`: optional; shown by `/help`. */
  readonly argumentHint?: string | undefined
  /** While a turn runs: `run` beside it, `reject` with a notice (default), or `interrupt` the turn first. */
  readonly whileBusy?: 'run' | 'reject' | 'interrupt' | undefined
  /** A string that it returns is sent as the reply. A throw becomes a notice in the chat and an error in the log. */
  run(context: CommandContext): Awaitable<void | string>
}

export interface CommandContext {
  readonly args: string
  readonly author: Author
  readonly chat: RoutedChat
  readonly sessionKey: string
  readonly signal: AbortSignal
  reply(text: string): Promise<void>
}
