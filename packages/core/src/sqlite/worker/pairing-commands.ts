import type { CommandGroup, CommandHandlers, PairedPerson, PairingLock, PairingRequest } from '../../store/index.js'
import type { Connection } from './connection.js'
import { settleUnrouted } from './inbox-commands.js'
import { addPieces } from './outbox-commands.js'

/** Who asked to be let in, and who was. */
export const pairingCommands: CommandHandlers<Connection, CommandGroup<'pairing'>> = {
  'pairing.list': (connection) => ({
    requests: parsed<PairingRequest>(connection.texts('SELECT request FROM pairing_requests ORDER BY requested_at')),
    paired: parsed<PairedPerson>(connection.texts('SELECT person FROM paired')),
    locks: connection.rows<PairingLock>('SELECT adapter, locked_until AS until FROM pairing_guards WHERE locked_until IS NOT NULL'),
  }),

  'pairing.request'(connection, { request, limit, quietSince, settles, at }) {
    settleUnrouted(connection, settles)
    const { adapter, userId } = request
    if (connection.row('SELECT 1 FROM paired WHERE adapter = ? AND user_id = ?', [adapter, userId])) return 'paired'
    if (guardOf(connection, adapter, at).lock !== undefined) return 'locked'
    const open = openRequests(connection, adapter, at)
    const earlier = open.find((each) => each.userId === userId)
    if (earlier && earlier.requestedAt > quietSince) return 'too-soon'
    if (!earlier && open.length >= limit) return 'full'
    connection.run('INSERT OR REPLACE INTO pairing_requests (adapter, user_id, request, requested_at, expires_at) VALUES (?, ?, ?, ?, ?)', [
      adapter,
      userId,
      JSON.stringify(request),
      request.requestedAt,
      request.expiresAt,
    ])
    return 'stored'
  },

  'pairing.attempt'(connection, { adapter, limit, lockedUntil, at }) {
    const { lock, failures } = guardOf(connection, adapter, at)
    if (lock !== undefined) return { outcome: 'locked', until: lock }
    connection.run('INSERT OR REPLACE INTO pairing_guards (adapter, failures, locked_until) VALUES (?, ?, ?)', [
      adapter,
      failures + 1,
      failures + 1 >= limit ? lockedUntil : null,
    ])
    return { outcome: 'open', requests: openRequests(connection, adapter, at) }
  },

  'pairing.approve'(connection, { adapter, userId, by, settles, outbox, at }) {
    const request = openRequests(connection, adapter, at).find((each) => each.userId === userId)
    if (!request) return { outcome: 'unknown' }
    if (settles) settleUnrouted(connection, settles)
    const person: PairedPerson = { adapter, userId, name: request.name, approvedAt: at, approvedBy: by }
    connection.run('DELETE FROM pairing_requests WHERE adapter = ? AND user_id = ?', [adapter, userId])
    connection.run('INSERT OR REPLACE INTO paired (adapter, user_id, person) VALUES (?, ?, ?)', [adapter, userId, JSON.stringify(person)])
    connection.run('DELETE FROM pairing_guards WHERE adapter = ?', [adapter])
    return { outcome: 'approved', person, outbox: addPieces(connection, outbox, at) }
  },

  'pairing.revoke'(connection, { adapter, userId }) {
    const tables = ['pairing_requests', 'paired']
    return tables.map((table) => connection.run(`DELETE FROM ${table} WHERE adapter = ? AND user_id = ?`, [adapter, userId]).changes).some(Boolean)
  },
}

/** Those that have not expired; the others are forgotten. */
function openRequests(connection: Connection, adapter: string, at: number): PairingRequest[] {
  connection.run('DELETE FROM pairing_requests WHERE expires_at <= ?', [at])
  return parsed<PairingRequest>(connection.texts('SELECT request FROM pairing_requests WHERE adapter = ?', [adapter]))
}

/** Failed attempts in a row, and the end of the lock that holds. A lock that is over begins the count anew. */
function guardOf(connection: Connection, adapter: string, at: number): { readonly failures: number; readonly lock?: number } {
  const guard = connection.row<{ failures: number; locked_until: number | null }>(
    'SELECT failures, locked_until FROM pairing_guards WHERE adapter = ?',
    [adapter],
  )
  if (!guard) return { failures: 0 }
  if (guard.locked_until === null) return { failures: guard.failures }
  return guard.locked_until > at ? { failures: guard.failures, lock: guard.locked_until } : { failures: 0 }
}

function parsed<T>(texts: readonly string[]): T[] {
  return texts.map((text) => JSON.parse(text) as T)
}
