import { HermesError, type TurnOutcome } from '@hermes/plugin-sdk'
import { persist, type NewOutboxRecord, type StoreCommandName, type StoreCommands, type TurnFact } from '../store/index.js'
import { frozenCopy } from './frozen-copy.js'
import type { LaneTranscript } from './lane-transcript.js'
import type { TurnJournal, TurnPorts } from './ports.js'

/** What the store answers to the end that it took. */
export type StoredEnd = Exclude<StoreCommands['turn.end']['result'], { outcome: 'stale' }>

/** Whose journal it is, and what becomes of the end. */
export interface JournalSetup {
  readonly lane: string
  readonly epoch: number
  /** Ends the insistence on a write: the process shuts down. */
  readonly signal: AbortSignal
  /** Grows by what the store takes. */
  readonly transcript: LaneTranscript
  /** The pieces that tell people how the turn ended. */
  compose(outcome: TurnOutcome): readonly NewOutboxRecord[]
  /** The end is durable. */
  onEnded(end: StoredEnd): void
}

/** A journal that its owner may add to. */
export interface StoredJournal extends TurnJournal {
  /** Writes the fact with whatever is written next. */
  addToNext(fact: TurnFact): void
}

/** The journal of one life of a turn, over the store. What the store cannot take now is tried until it can. */
export function createStoredJournal(ports: Pick<TurnPorts, 'store' | 'clock' | 'ids' | 'logger'>, setup: JournalSetup): StoredJournal {
  const { lane, epoch, signal, transcript } = setup
  let added: readonly TurnFact[] = []
  const insist = <N extends StoreCommandName>(name: N, args: StoreCommands[N]['args']): Promise<StoreCommands[N]['result']> =>
    persist(
      ports.store,
      { id: ports.ids.next('command'), name, args },
      {
        clock: ports.clock,
        signal,
        onFailure: (error, waitMs) =>
          ports.logger.error({ lane, epoch, command: name, waitMs, error }, 'The store could not take what a turn did; it is tried again.'),
      },
    )
  const closed = (): HermesError => new HermesError('turn.closed', `Epoch ${epoch} of lane ${lane} may not write any more.`, { lane, epoch })
  /** Whatever becomes of the originals, the store gets these at every try, and the transcript grows by the same. */
  const copiesOf = (facts: readonly TurnFact[]): readonly TurnFact[] => frozenCopy([...added, ...facts])
  const taken = (facts: readonly TurnFact[]): void => {
    added = []
    transcript.take(facts)
  }
  return {
    addToNext(fact) {
      added = [...added, fact]
    },
    async commit(given) {
      const facts = copiesOf(given)
      const result = await insist('turn.commit', { lane, epoch, facts, at: ports.clock.now() })
      if (result === 'stale') throw closed()
      taken(facts)
    },
    answered: (question) => insist('turn.answered', { lane, question }),
    async end(outcome, given) {
      const facts = copiesOf(given)
      const ending = {
        outcome: withoutCause(outcome),
        state: outcome.stop?.abandons ? 'abandoned' : 'settled',
        facts,
        outbox: setup.compose(outcome),
      } as const
      const result = await insist('turn.end', { lane, epoch, ending, at: ports.clock.now() })
      if (result.outcome === 'stale') throw closed()
      taken(facts)
      transcript.end(epoch)
      setup.onEnded(result)
    },
  }
}

/** The cause of a failure is for the log of this process: it is no plain data, and may hold what must not be stored. */
function withoutCause(outcome: TurnOutcome): TurnOutcome {
  if (!outcome.failure) return outcome
  const { cause: _cause, ...failure } = outcome.failure
  return { ...outcome, failure }
}
