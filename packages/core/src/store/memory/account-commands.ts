import type { CommandGroup, CommandHandlers } from '../command-handlers.js'
import type { Tables } from './tables.js'

/** Which bot accounts connected before. */
export const accountCommands: CommandHandlers<Tables, CommandGroup<'account'>> = {
  'account.isKnown': (tables, { platform, account }) => tables.accounts.has(JSON.stringify([platform, account])),
  'account.remember'(tables, { platform, account }) {
    tables.accounts.add(JSON.stringify([platform, account]))
  },
}
