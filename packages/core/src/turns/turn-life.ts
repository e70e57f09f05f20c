import type { Attachment, TurnOutcome, TurnRef } from '@hermes/plugin-sdk'
import { stopReason } from '../kernel/index.js'
import { injectedText, type LaneRecord, type PromptSnapshot, type Transcript, type TurnClaim } from '../store/index.js'
import type { LaneTranscript } from './lane-transcript.js'
import type { OpenRun } from './open-run.js'
import type { OpenTurns } from './open-turns.js'
import type { TurnPorts } from './ports.js'
import type { Runs } from './runs.js'
import { chatOf, showAnswer } from './shown-answer.js'
import type { TranscriptCache } from './transcript-cache.js'
import { createStoredJournal, type StoredJournal } from './turn-journal.js'
import { messageIdOf, toUserMessage, type FilePart } from './user-message.js'

/** What the lives of one process share. */
export interface TurnHouse {
  readonly open: OpenTurns
  readonly transcripts: TranscriptCache
  readonly runs: Runs
  /** Aborts when the process is to end: nothing is insisted on any more. */
  readonly shutdown: AbortSignal
}

/**
 * How a life ended: its turn is over (and something waits behind it, or nothing does), or it was left open in the store for the next
 * process (`parked`) or for another one that has it (`lost`).
 */
export type LifeEnd = 'ended-before-others' | 'ended-last' | 'parked' | 'lost'

/** A turn that was claimed, with its transcript wherever that came from. */
export interface ClaimedTurn extends TurnClaim {
  /** As it was at the claim. */
  readonly transcript: Transcript
  /** Grows by what this life writes. */
  readonly growing: LaneTranscript
}

/** Runs one life of a turn, from its claim to its end. Rejects when the end of the turn could not be written. */
export async function liveTurn(claim: ClaimedTurn, ports: TurnPorts, house: TurnHouse): Promise<LifeEnd> {
  const { turn: id, lane, epoch, session } = claim
  const chat = chatOf(claim)
  const turn = house.open.open({ id, lane, epoch, sessionKey: session?.key, chat })
  const run = runOf(claim, house.runs)
  const stop = claim.stop ?? run?.stop
  if (stop) house.open.stop(lane, stop)
  // The house may have begun to close while the claim was under way.
  if (house.shutdown.aborted) house.open.stop(lane, stopReason('shutdown'))
  const answer = showAnswer(turn, claim, ports)
  const startedAt = ports.clock.now()
  if (session && chat && claim.transcript.messages.length === 0) void ports.hooks.tell('sessionStart', { sessionKey: session.key, chat })
  let end: LifeEnd | undefined
  try {
    const journal = createStoredJournal(ports, {
      lane,
      epoch,
      signal: house.shutdown,
      transcript: claim.growing,
      compose: (outcome) => answer.compose(outcome),
      onEnded({ outbox, hasMore, isWhole }) {
        end = hasMore ? 'ended-before-others' : 'ended-last'
        // After a stop the store leaves out some of the facts: the next claim brings what it has. A lane without a session has ended.
        if (isWhole && session) house.transcripts.set(lane, claim.growing)
        answer.finish(outbox)
      },
    })
    const snapshot = snapshotFor(claim, journal, ports)
    // A turn that was stopped meanwhile never asks for its prompt.
    snapshot.catch(() => undefined)
    const opening = openingRows(claim)
    const files = opening.some(hasFiles) ? await fetchFiles(opening, turn.signal, ports) : []
    // What a closing house did not fetch, the next process does.
    if (house.shutdown.aborted && files.length > 0) return 'parked'
    const running = ports.engine.start({
      turn,
      transcript: claim.transcript,
      opening: opening.map((row, index) => toUserMessage(row, id, files[index])),
      journal,
      snapshot,
      canAnswer: run !== undefined,
    })
    run?.begin(turn, running)
    const [{ outcome }] = await Promise.all([running.result, answer.follow(running.events)])
    report(turn, outcome, ports)
    if (end) {
      const state = outcome.stop?.abandons ? 'abandoned' : 'settled'
      void ports.hooks.tell('turnEnd', { turn, state, outcome, durationMs: ports.clock.now() - startedAt })
    }
    const ended = end ?? endWithoutWriting(outcome)
    if (ended) {
      run?.end(outcome)
      return ended
    }
    throw new Error(`the end of turn ${id} could not be written`)
  } finally {
    // Where the end was not written, what is on screen stays; after it, this changes nothing.
    answer.finish([])
    house.open.close(turn)
  }
}

/** A life that writes no end goes on elsewhere; `undefined`: it should have written one. */
function endWithoutWriting({ status, stop }: TurnOutcome): LifeEnd | undefined {
  if (status === 'parked') return 'parked'
  return stop?.kind === 'lost' ? 'lost' : undefined
}

/** Who hears this turn besides the chat; `undefined`: nobody. */
function runOf({ items }: TurnClaim, runs: Runs): OpenRun | undefined {
  const newest = items.at(-1)
  return newest && 'run' in newest ? runs.of(newest.run) : undefined
}

/** What the turn answers, as far as no earlier life stored it. */
function openingRows({ turn, items, transcript: { messages } }: ClaimedTurn): readonly LaneRecord[] {
  const earlier = messages.slice(messages.findLastIndex((message) => message.turn !== turn) + 1)
  return items.filter((row) => isSaid(row) && !earlier.some(({ id }) => id === messageIdOf(row)))
}

function isSaid(row: LaneRecord): boolean {
  return 'run' in row || row.event.kind === 'message' || injectedText(row.event) !== undefined
}

function hasFiles(row: LaneRecord): boolean {
  return attachmentsOf(row).length > 0
}

/** The files of each row. They are fetched now and not on receipt: bytes of what is never answered are not wanted. */
function fetchFiles(rows: readonly LaneRecord[], signal: AbortSignal, { files }: TurnPorts): Promise<readonly (readonly FilePart[])[]> {
  return Promise.all(rows.map((row) => Promise.all(attachmentsOf(row).map(({ adapter, attachment }) => files.fetch(adapter, attachment, signal)))))
}

function attachmentsOf(row: LaneRecord): readonly { readonly adapter: string; readonly attachment: Attachment }[] {
  if ('run' in row || row.event.kind !== 'message') return []
  return (row.event.attachments ?? []).map((attachment) => ({ adapter: row.adapter, attachment }))
}

/** The stored prompt of the conversation, or a new one that is stored with the first facts. */
async function snapshotFor({ lane, transcript }: ClaimedTurn, journal: StoredJournal, { engine }: TurnPorts): Promise<PromptSnapshot> {
  const snapshot = await engine.prepare(lane, transcript.snapshot)
  if (snapshot.hash !== transcript.snapshot?.hash) journal.addToNext({ kind: 'snapshot', snapshot })
  return snapshot
}

function report(turn: TurnRef, outcome: TurnOutcome, ports: TurnPorts): void {
  const { status, steps, usage, limit, stop, failure } = outcome
  const fields = { turn: turn.id, lane: turn.lane, epoch: turn.epoch, status, steps, usage, limit, stop: stop?.kind, failure: failure?.reason }
  const log = status === 'failed' ? ports.logger.warn : status === 'completed' ? ports.logger.debug : ports.logger.info
  log(fields, status === 'failed' ? 'A turn failed.' : 'A turn ended.')
}
