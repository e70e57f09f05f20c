import assert from 'node:assert/strict'
import type { Answer, Question } from '@hermes/plugin-sdk'
import type { StateStore, TurnFact } from '../../store/index.js'
import { begun, claim, commit, end, queued, stop } from './samples.js'
import type { StoreCase } from './store-case.js'

const yes: Answer = { kind: 'approved' }
const no: Answer = { kind: 'denied', reason: 'not "today"' }
const asked = (id: string, text = id): TurnFact => ({ kind: 'question', question: { id, kind: 'approval', text } satisfies Question })
const given = (id: string, answer: Answer = yes): TurnFact => ({ kind: 'answer', id, answer })
const answered = (store: StateStore, question: string) => store.execute('turn.answered', { lane: 'c1', question })

/** Questions to people, and their answers: they live as long as their turn is open. */
export const questionCases: readonly StoreCase[] = [
  [
    // engine-api R4
    'a later life of the turn finds the answer that an earlier one stored',
    async (store, under) => {
      const { epoch } = await begun(store)
      await commit(store, epoch, [asked('call'), asked('call/name')])
      assert.equal(await answered(store, 'call'), undefined)
      await commit(store, epoch, [given('call', no)])
      const again = under.reopen ? await under.reopen() : store
      await claim(again, 'other')
      assert.deepEqual(await answered(again, 'call'), no)
      assert.equal(await answered(again, 'call/name'), undefined)
      assert.equal(await answered(again, 'never asked'), undefined)
    },
  ],
  [
    'a question may be asked again, and its first answer counts',
    async (store) => {
      const { epoch } = await begun(store)
      await commit(store, epoch, [asked('q')])
      await commit(store, epoch, [asked('q', 'in other words')])
      await commit(store, epoch, [given('q'), given('q', no)])
      await commit(store, epoch, [asked('q')])
      assert.deepEqual(await answered(store, 'q'), yes)
    },
  ],
  [
    'an answer to nothing that was asked is left out',
    async (store) => {
      const { epoch } = await begun(store)
      assert.equal(await commit(store, epoch, [given('q')]), 'stored')
      assert.equal(await answered(store, 'q'), undefined)
    },
  ],
  [
    // engine-api R11
    'a stopped turn takes answers, and a stale epoch stores none',
    async (store) => {
      const { epoch } = await begun(store)
      await commit(store, epoch, [asked('q')])
      await store.execute('turn.stop', { lane: 'c1', reason: stop, at: 4 })
      assert.equal(await commit(store, epoch - 1, [given('q', no)]), 'stale')
      assert.equal(await commit(store, epoch, [given('q')]), 'stored')
      assert.deepEqual(await answered(store, 'q'), yes)
    },
  ],
  [
    'questions end with their turn: the next one may use their names',
    async (store) => {
      const { epoch } = await begun(store)
      await commit(store, epoch, [asked('q'), given('q')])
      await end(store, epoch)
      assert.equal(await answered(store, 'q'), undefined)
      await queued(store, 'e2')
      const next = await claim(store, 't2')
      assert.equal(await answered(store, 'q'), undefined)
      await commit(store, next.epoch, [asked('q'), given('q', no)])
      assert.deepEqual(await answered(store, 'q'), no)
    },
  ],
]
