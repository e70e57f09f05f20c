import assert from 'node:assert/strict'
import type { PairingRequest, StateStore } from '../../store/index.js'
import { chat, openKeys, piece, receive, unrouted } from './samples.js'
import type { StoreCase } from './store-case.js'

function request(userId: string, more: Partial<PairingRequest> = {}): PairingRequest {
  return { adapter: 'test', userId, chat, salt: 'aa', hash: 'bb', requestedAt: 100, expiresAt: 1000, ...more }
}

/** The person writes an event of this name and asks; the earlier request must be older than 50. */
async function ask(store: StateStore, userId: string, { limit = 3, ...more }: Partial<PairingRequest> & { limit?: number } = {}) {
  const asked = request(userId, more)
  const at = asked.requestedAt
  const [seq = 0] = await receive(store, `${userId} at ${at}`)
  const settles = { seq, reason: 'pairing' }
  return store.execute('pairing.request', { request: asked, limit, quietSince: at - 50, settles, at })
}

function attempt(store: StateStore, at = 200, adapter = 'test') {
  return store.execute('pairing.attempt', { adapter, limit: 2, lockedUntil: at + 100, at })
}

function approve(store: StateStore, userId: string, at = 200) {
  return store.execute('pairing.approve', { adapter: 'test', userId, by: 'admin', outbox: [piece(`welcome ${userId} at ${at}`)], at })
}

const outcomes = (results: readonly { readonly outcome: string }[]): string[] => results.map((result) => result.outcome)

/** Who asked to be let in, and who was. */
export const pairingCases: readonly StoreCase[] = [
  [
    'a request is stored, and settles its row',
    async (store, under) => {
      assert.equal(await ask(store, 'u1', { name: 'Ann' }), 'stored')
      assert.deepEqual(await unrouted(store), [])
      const again = under.reopen ? await under.reopen() : store
      assert.deepEqual(await again.execute('pairing.list', {}), { requests: [request('u1', { name: 'Ann' })], paired: [], locks: [] })
    },
  ],
  [
    'a person has one request: a second one too soon is refused, a later one takes its place',
    async (store) => {
      await ask(store, 'u1')
      assert.equal(await ask(store, 'u1', { requestedAt: 149 }), 'too-soon')
      assert.equal(await ask(store, 'u1', { requestedAt: 150, hash: 'cc' }), 'stored')
      const { requests } = await store.execute('pairing.list', {})
      assert.deepEqual(
        requests.map((each) => each.hash),
        ['cc'],
      )
      assert.deepEqual(await unrouted(store), [])
    },
  ],
  [
    'no more requests of an instance are open than its limit; those that expired make room',
    async (store) => {
      const asked = [await ask(store, 'u1', { limit: 2 }), await ask(store, 'u2', { expiresAt: 300, limit: 2 }), await ask(store, 'u3', { limit: 2 })]
      assert.deepEqual(asked, ['stored', 'stored', 'full'])
      assert.equal(await ask(store, 'u3', { adapter: 'other', limit: 2 }), 'stored')
      assert.equal(await ask(store, 'u3', { requestedAt: 300, limit: 2 }), 'stored')
    },
  ],
  [
    'attempts in a row lock the instance, and nobody asks or tries until that is over',
    async (store, under) => {
      await ask(store, 'u1')
      assert.deepEqual(outcomes([await attempt(store), await attempt(store), await attempt(store, 299)]), ['open', 'open', 'locked'])
      const again = under.reopen ? await under.reopen() : store
      assert.deepEqual(await attempt(again, 299), { outcome: 'locked', until: 300 })
      assert.equal(await ask(again, 'u2', { requestedAt: 299 }), 'locked')
      assert.equal((await attempt(again, 299, 'other')).outcome, 'open')
      assert.deepEqual(outcomes([await attempt(again, 300), await attempt(again, 300), await attempt(again, 300)]), ['open', 'open', 'locked'])
    },
  ],
  [
    'an attempt is told the requests of its instance that have not expired',
    async (store) => {
      await ask(store, 'u1', { expiresAt: 200 })
      await ask(store, 'u2')
      await ask(store, 'u3', { adapter: 'other' })
      assert.deepEqual(await attempt(store), { outcome: 'open', requests: [request('u2')] })
    },
  ],
  [
    'an approval lets in who asked, ends the request and the lock, and settles its command',
    async (store, under) => {
      await ask(store, 'u1', { name: 'Ann' })
      for (let tries = 0; tries < 2; tries++) await attempt(store)
      const [seq = 0] = await receive(store, 'command')
      const settles = { seq, reason: 'command' }
      const args = { adapter: 'test', userId: 'u1', by: 'admin', settles, outbox: [piece('welcome')], at: 200 }
      const approved = await store.execute('pairing.approve', args)
      assert.ok(approved.outcome === 'approved')
      assert.deepEqual(approved.person, { adapter: 'test', userId: 'u1', name: 'Ann', approvedAt: 200, approvedBy: 'admin' })
      assert.deepEqual(await openKeys(store), ['welcome'])
      assert.deepEqual(await unrouted(store), [])
      const again = under.reopen ? await under.reopen() : store
      assert.deepEqual(await again.execute('pairing.list', {}), { requests: [], paired: [approved.person], locks: [] })
      assert.equal(await ask(again, 'u1', { requestedAt: 250 }), 'paired')
    },
  ],
  [
    'nobody is let in without a request, after it expired, or twice',
    async (store) => {
      await ask(store, 'u1', { expiresAt: 200 })
      await ask(store, 'u2')
      const approvals = [await approve(store, 'nobody'), await approve(store, 'u1'), await approve(store, 'u2'), await approve(store, 'u2', 201)]
      assert.deepEqual(outcomes(approvals), ['unknown', 'unknown', 'approved', 'unknown'])
      assert.deepEqual(await openKeys(store), ['welcome u2 at 200'])
    },
  ],
  [
    'a revocation takes back an admission or a request, of that person alone',
    async (store) => {
      for (const user of ['u1', 'u2', 'u3']) await ask(store, user)
      await approve(store, 'u1')
      const revoke = (userId: string) => store.execute('pairing.revoke', { adapter: 'test', userId })
      assert.deepEqual([await revoke('u1'), await revoke('u1'), await revoke('u2')], [true, false, true])
      const { requests, paired } = await store.execute('pairing.list', {})
      assert.deepEqual([requests.map((each) => each.userId), paired], [['u3'], []])
    },
  ],
]
