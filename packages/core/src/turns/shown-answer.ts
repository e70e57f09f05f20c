import type { AgentEvent, RoutedChat, TurnOutcome, TurnRef } from '@hermes/plugin-sdk'
import type { InboxRecord, NewOutboxRecord, OutboxRecord, TurnClaim } from '../store/index.js'
import { textOfOutcome } from './outcome-text.js'
import type { TurnPorts } from './ports.js'

/** Where people read the answer of a turn. */
export interface ShownAnswer {
  follow(events: AsyncIterable<AgentEvent>): Promise<void>
  /** The pieces that tell how the turn ended. */
  compose(outcome: TurnOutcome): readonly NewOutboxRecord[]
  /** Hands over the stored pieces; without pieces, what is on screen stays. Only the first call counts. */
  finish(rows: readonly OutboxRecord[]): void
}

/** The answer of a run is its caller's, who hears it without a chat. */
const shownNowhere: ShownAnswer = { follow: async () => {}, compose: () => [], finish: () => {} }

/** The chat whose turn this is: that of the newest message, or of the session; a run without a session has none. */
export function chatOf({ items, session }: TurnClaim): RoutedChat | undefined {
  const newest = items.at(-1)
  return newest && 'event' in newest ? { ...newest.event.chat, adapter: newest.adapter } : session?.chat
}

/** Begins to show the answer of a turn. */
export function showAnswer(turn: TurnRef, claim: TurnClaim, { delivery }: Pick<TurnPorts, 'delivery'>): ShownAnswer {
  const { id, lane, chat } = turn
  const newest = claim.items.at(-1)
  if (!chat || (newest && 'run' in newest)) return shownNowhere
  const replyTo = replyTargetOf(newest)
  const live = delivery.live({ ...turn, chat }, replyTo)
  return {
    follow: (events) => live.follow(events),
    compose(outcome) {
      const text = textOfOutcome(outcome)
      return text === undefined ? [] : delivery.compose(chat, text, { turn: id, lane, replyTo })
    },
    finish: (rows) => live.finish(rows),
  }
}

/** In a chat of several people the answer says whom it answers. */
function replyTargetOf(newest: InboxRecord | undefined): string | undefined {
  const event = newest?.event
  return event?.kind === 'message' && event.chat.kind !== 'dm' ? event.messageId : undefined
}
