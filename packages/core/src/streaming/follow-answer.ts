import type { AgentEvent } from '@hermes/plugin-sdk'
import { createWantedText } from './wanted-text.js'

/** Where a growing answer is shown. `Row` is a stored piece of its final text; only the display looks into it. */
export interface AnswerDisplay<Row> {
  set(text: string): void
  segment(): void
  finish(rows: readonly Row[]): void
}

/** An answer whose display follows the events of its turn. */
export interface FollowedAnswer<Row> {
  /** Resolves when the events end; rejects as they do. */
  follow(events: AsyncIterable<AgentEvent>): Promise<void>
  /** The stored pieces of the final text; without any, what is shown stays. */
  finish(rows: readonly Row[]): void
}

/** Lets a display follow the events of one turn. */
export function followAnswer<Row>(display: AnswerDisplay<Row>): FollowedAnswer<Row> {
  return {
    async follow(events) {
      const wanted = createWantedText()
      for await (const event of events) {
        const change = wanted.next(event)
        if (change?.kind === 'set') display.set(change.text)
        else if (change?.kind === 'segment') display.segment()
      }
    },
    finish: (rows) => display.finish(rows),
  }
}
