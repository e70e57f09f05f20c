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
  /** Who may run it: everybody who may speak (`user`, default), or the `admins` of the adapter, where it has any. */
  readonly tier?: 'user' | 'admin' | undefined
  /**
   * A string that it returns is sent as the reply. A throw, and a run of more than ten minutes, becomes a notice in the chat and an error
   * in the log. When the house closes it has two seconds; one that is cut off runs again after the next start.
   */
  run(context: CommandContext): Awaitable<void | string>
}

export interface CommandContext {
  readonly args: string
  readonly author: Author
  readonly chat: RoutedChat
  readonly sessionKey: string
  /** Aborts when its time is over, or when the house closes. */
  readonly signal: AbortSignal
  reply(text: string): Promise<void>
}
