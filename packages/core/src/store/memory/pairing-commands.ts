import type { CommandGroup, CommandHandlers } from '../command-handlers.js'
import type { PairedPerson, PairingRequest } from '../pairing-records.js'
import { settleUnrouted } from './inbox-commands.js'
import { addPieces, refuseKnownKeys } from './outbox-commands.js'
import type { Tables } from './tables.js'

/** Who asked to be let in, and who was. */
export const pairingCommands: CommandHandlers<Tables, CommandGroup<'pairing'>> = {
  'pairing.list': (tables) => ({
    requests: [...tables.pairingRequests.values()],
    paired: [...tables.paired.values()],
    locks: [...tables.pairingGuards].flatMap(([adapter, { lockedUntil }]) => (lockedUntil === undefined ? [] : [{ adapter, until: lockedUntil }])),
  }),

  'pairing.request'(tables, { request, limit, quietSince, settles, at }) {
    settleUnrouted(tables, settles)
    const { adapter, userId } = request
    const key = keyOf(adapter, userId)
    if (tables.paired.has(key)) return 'paired'
    if (lockOf(tables, adapter, at) !== undefined) return 'locked'
    const open = openRequests(tables, adapter, at)
    const earlier = open.find((each) => each.userId === userId)
    if (earlier && earlier.requestedAt > quietSince) return 'too-soon'
    if (!earlier && open.length >= limit) return 'full'
    tables.pairingRequests.set(key, request)
    return 'stored'
  },

  'pairing.attempt'(tables, { adapter, limit, lockedUntil, at }) {
    const until = lockOf(tables, adapter, at)
    if (until !== undefined) return { outcome: 'locked', until }
    const guard = tables.pairingGuards.get(adapter)
    // A lock that is over begins the count anew.
    const failures = guard?.lockedUntil === undefined ? (guard?.failures ?? 0) + 1 : 1
    tables.pairingGuards.set(adapter, { failures, ...(failures >= limit && { lockedUntil }) })
    return { outcome: 'open', requests: openRequests(tables, adapter, at) }
  },

  'pairing.approve'(tables, { adapter, userId, by, settles, outbox, at }) {
    const request = openRequests(tables, adapter, at).find((each) => each.userId === userId)
    if (!request) return { outcome: 'unknown' }
    refuseKnownKeys(tables, outbox)
    if (settles) settleUnrouted(tables, settles)
    const person: PairedPerson = { adapter, userId, name: request.name, approvedAt: at, approvedBy: by }
    tables.pairingRequests.delete(keyOf(adapter, userId))
    tables.paired.set(keyOf(adapter, userId), person)
    tables.pairingGuards.delete(adapter)
    return { outcome: 'approved', person, outbox: addPieces(tables, outbox, at) }
  },

  'pairing.revoke'(tables, { adapter, userId }) {
    const key = keyOf(adapter, userId)
    const wasAsking = tables.pairingRequests.delete(key)
    return tables.paired.delete(key) || wasAsking
  },
}

function keyOf(adapter: string, userId: string): string {
  return JSON.stringify([adapter, userId])
}

/** Those that have not expired; the others are forgotten. */
function openRequests(tables: Tables, adapter: string, at: number): PairingRequest[] {
  for (const [key, { expiresAt }] of tables.pairingRequests) if (expiresAt <= at) tables.pairingRequests.delete(key)
  return [...tables.pairingRequests.values()].filter((request) => request.adapter === adapter)
}

function lockOf(tables: Tables, adapter: string, at: number): number | undefined {
  const until = tables.pairingGuards.get(adapter)?.lockedUntil
  return until !== undefined && until > at ? until : undefined
}
