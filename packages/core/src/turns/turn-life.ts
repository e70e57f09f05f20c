import { HermesError, type AgentFailure, type InboundMessage, type RoutedChat, type TurnOutcome, type TurnRef } from '@hermes/plugin-sdk'
import type { PromptSnapshot, TurnClaim } from '../store/index.js'
import type { OpenTurns } from './open-turns.js'
import { textOfOutcome } from './outcome-text.js'
import type { TurnPorts } from './ports.js'
import { createStoredJournal } from './turn-journal.js'
import { messageIdOf, toUserMessage } from './user-message.js'

/**
 * Runs one life of a turn, from its claim to its end. Resolves when the life is over, however it ended: `parked` and lost lives
 * leave the turn open in the store, for whoever claims it next. Rejects only when the store will take nothing any more.
 */
export async function liveTurn(
  claim: TurnClaim,
  ports: TurnPorts,
  house: { readonly open: OpenTurns; readonly shutdown: AbortSignal },
): Promise<void> {
  const chat = chatOf(claim)
  const replyTo = replyTargetOf(claim)
  const turn = house.open.open({ id: claim.turn, lane: claim.lane, epoch: claim.epoch, sessionKey: claim.session.key, chat })
  if (claim.stop) house.open.stop(claim.lane, claim.stop)
  try {
    const answer = ports.delivery.live({ ...turn, chat }, replyTo)
    const journal = createStoredJournal(ports, {
      lane: claim.lane,
      epoch: claim.epoch,
      signal: house.shutdown,
      compose(outcome) {
        const text = textOfOutcome(outcome)
        return text === undefined ? [] : ports.delivery.compose(chat, text, { turn: claim.turn, lane: claim.lane, replyTo })
      },
      onEnded: (_outcome, pieces) => answer.finish(pieces),
    })
    const transcript = await withInput(claim, (facts) => journal.commit(facts))
    const snapshot = await snapshotFor(claim, ports)
    if ('failure' in snapshot) {
      await journal.end(snapshot, [])
      return report(turn, snapshot, ports)
    }
    const running = ports.engine.start({ turn, transcript, isResumed: claim.isResumed, journal, snapshot })
    const [{ outcome }] = await Promise.all([running.result, answer.follow(running.events)])
    if (outcome.status === 'parked') answer.finish([])
    report(turn, outcome, ports)
  } catch (error) {
    if (!HermesError.is(error, 'turn.closed')) throw error
    ports.logger.warn({ lane: claim.lane, epoch: claim.epoch }, 'Another life of this turn has taken over; this one ends.')
  } finally {
    house.open.close(turn)
  }
}

function chatOf(claim: TurnClaim): RoutedChat {
  const newest = claim.items.at(-1)
  return newest ? { ...newest.event.chat, adapter: newest.adapter } : claim.session.chat
}

/** In a chat of several people the answer says whom it answers. */
function replyTargetOf(claim: TurnClaim): string | undefined {
  const newest = claim.items.at(-1)?.event
  return newest?.kind === 'message' && newest.chat.kind !== 'dm' ? newest.messageId : undefined
}

/** Adds what the turn answers to its transcript, unless an earlier life did so. */
async function withInput(claim: TurnClaim, commit: (facts: { kind: 'message'; message: ReturnType<typeof toUserMessage> }[]) => Promise<void>) {
  const known = new Set(claim.transcript.messages.map((message) => message.id))
  const added = claim.items.filter((row) => isMessage(row.event) && !known.has(messageIdOf(row))).map((row) => toUserMessage(row, claim.turn))
  // A turn that only has to be ended takes no new input: its question stays unanswered, and is in the transcript all the same.
  if (added.length > 0) await commit(added.map((message) => ({ kind: 'message', message })))
  return { ...claim.transcript, messages: [...claim.transcript.messages, ...added] }
}

function isMessage(event: { readonly kind: string }): event is InboundMessage {
  return event.kind === 'message'
}

/** The stored prompt of the conversation or a new one; where the agent cannot say its instructions, the failed turn. */
async function snapshotFor(claim: TurnClaim, ports: TurnPorts): Promise<PromptSnapshot | (TurnOutcome & { readonly failure: AgentFailure })> {
  const stored = claim.transcript.snapshot
  let snapshot: PromptSnapshot
  try {
    snapshot = await ports.engine.prepare(claim.lane, stored)
  } catch (cause) {
    const failure: AgentFailure = { reason: 'runtime', message: 'The prompt of the conversation could not be made.', cause }
    return { status: 'failed', text: '', steps: 0, usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }, failure }
  }
  if (snapshot.hash !== stored?.hash) await ports.store.execute('turn.snapshot', { lane: claim.lane, epoch: claim.epoch, snapshot })
  return snapshot
}

function report(turn: TurnRef, outcome: TurnOutcome, ports: TurnPorts): void {
  const fields = {
    turn: turn.id,
    lane: turn.lane,
    epoch: turn.epoch,
    status: outcome.status,
    steps: outcome.steps,
    usage: outcome.usage,
    limit: outcome.limit,
    stop: outcome.stop?.kind,
  }
  if (outcome.status === 'failed')
    ports.logger.error({ ...fields, reason: outcome.failure?.reason, error: outcome.failure?.cause ?? outcome.failure?.message }, 'A turn failed.')
  else ports.logger.info(fields, 'A turn ended.')
}
