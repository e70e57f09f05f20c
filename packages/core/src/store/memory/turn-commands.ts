import type { TurnId } from '@hermes/plugin-sdk'
import type { CommandGroup, CommandHandlers } from '../command-handlers.js'
import type { Transcript, TurnClaim, TurnEnding, TurnFact } from '../records.js'
import { endingAfterStop, isRefusedAfterStop } from '../stop-rule.js'
import { addPieces, refuseKnownKeys } from './outbox-commands.js'
import type { InboxRow, LaneRow, OpenTurn, Tables } from './tables.js'

/** One turn at a time in a lane, fenced by its epoch. */
export const turnCommands: CommandHandlers<Tables, CommandGroup<'lane' | 'turn'>> = {
  'lane.ready'(tables) {
    return [...tables.lanes.values()].filter((lane) => lane.waiting.length > 0 || lane.openTurn).map((lane) => lane.conversation)
  },

  'turn.claim'(tables, args) {
    const lane = tables.lanes.get(args.lane)
    if (!lane) return undefined
    const cutOff = lane.openTurn
    const turn = cutOff ?? openTurn(lane, args.turn as TurnId, args.at)
    if (!turn) return undefined
    const transcript = !cutOff && args.known === lane.epoch ? 'known' : transcriptOf(lane, turn)
    lane.epoch++
    return claimOf(tables, lane, { turn, transcript })
  },

  'turn.commit'(tables, { lane: name, epoch, facts }) {
    const open = fenced(tables, name, epoch)
    if (!open || (open.turn.stop && facts.some(isRefusedAfterStop))) return 'stale'
    for (const fact of facts) takeFact(open, fact)
    return 'stored'
  },

  'turn.answered'(tables, { lane, question }) {
    return tables.lanes.get(lane)?.openTurn?.questions.get(question)?.answer
  },

  'turn.stop'(tables, { lane, reason }) {
    const turn = tables.lanes.get(lane)?.openTurn
    if (!turn) return { outcome: 'none' }
    turn.stop ??= reason
    return { outcome: 'stopping', turn: turn.id }
  },

  'turn.end'(tables, { lane: name, epoch, ending, at }) {
    const open = fenced(tables, name, epoch)
    if (!open) return { outcome: 'stale' }
    const { lane, turn } = open
    const kept = turn.stop ? endingAfterStop(ending, turn.id, turn.stop) : ending
    refuseKnownKeys(tables, kept.outbox)
    for (const fact of kept.facts) takeFact(open, fact)
    for (const row of turn.items) settleInTurn(row, kept)
    delete lane.openTurn
    if (lane.sessionKey === undefined) tables.lanes.delete(name)
    const isWhole = kept.facts.length === ending.facts.length
    return { outcome: 'stored', outbox: addPieces(tables, kept.outbox, at), hasMore: lane.waiting.length > 0, isWhole }
  },
}

function settleInTurn(row: InboxRow, { state, outcome }: TurnEnding): void {
  row.settled = state
  if ('run' in row.record) row.outcome = outcome
}

interface FencedTurn {
  readonly lane: LaneRow
  readonly turn: OpenTurn
}

/** The open turn of a lane, if the epoch is the one that was claimed last. */
function fenced(tables: Tables, name: string, epoch: number): FencedTurn | undefined {
  const lane = tables.lanes.get(name)
  return lane?.openTurn && lane.epoch === epoch ? { lane, turn: lane.openTurn } : undefined
}

function openTurn(lane: LaneRow, id: TurnId, at: number): OpenTurn | undefined {
  const oldest = lane.waiting.shift()
  if (!oldest) return undefined
  lane.openTurn = { id, startedAt: at, items: [oldest], intents: [], questions: new Map() }
  return lane.openTurn
}

function transcriptOf(lane: LaneRow, { intents }: OpenTurn): Transcript {
  return { messages: lane.messages, intents, states: Object.fromEntries(lane.states), snapshot: lane.snapshot }
}

function claimOf(tables: Tables, lane: LaneRow, { turn, transcript }: { turn: OpenTurn } & Pick<TurnClaim, 'transcript'>): TurnClaim {
  const session = lane.sessionKey === undefined ? undefined : tables.sessions.get(lane.sessionKey)
  if (!session && lane.sessionKey !== undefined) throw new Error(`conversation ${lane.conversation} has no session`)
  return {
    turn: turn.id,
    lane: lane.conversation,
    epoch: lane.epoch,
    session,
    items: turn.items.map((row) => row.record),
    stop: turn.stop,
    startedAt: turn.startedAt,
    transcript,
  }
}

function takeFact({ lane, turn }: FencedTurn, fact: TurnFact): void {
  switch (fact.kind) {
    case 'message':
      lane.messages.push(fact.message)
      break
    case 'intent':
      turn.intents.push({ turn: turn.id, callId: fact.callId, name: fact.name, input: fact.input })
      break
    case 'state':
      lane.states.set(fact.runtime, fact.state)
      break
    case 'question':
      turn.questions.set(fact.question.id, { ...turn.questions.get(fact.question.id), question: fact.question })
      break
    case 'answer': {
      const asked = turn.questions.get(fact.id)
      if (asked) asked.answer ??= fact.answer
      break
    }
    case 'snapshot':
      lane.snapshot = fact.snapshot
      break
  }
}
