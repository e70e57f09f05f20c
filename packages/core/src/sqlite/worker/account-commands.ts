import type { CommandGroup, CommandHandlers } from '../../store/index.js'
import type { Connection } from './connection.js'

/** Which bot accounts connected before. */
export const accountCommands: CommandHandlers<Connection, CommandGroup<'account'>> = {
  'account.isKnown': (connection, { platform, account }) =>
    connection.row('SELECT 1 FROM accounts WHERE platform = ? AND account = ?', [platform, account]) !== undefined,
  'account.remember'(connection, { platform, account, at }) {
    connection.run('INSERT INTO accounts (platform, account, known_since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', [platform, account, at])
  },
}
