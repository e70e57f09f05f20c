import type { AgentEvent } from '@hermes/plugin-sdk'

/** Pieces of this length are joined no further: joining and reading must not cost the whole text each time. */
const pieceChars = 4096

interface Entry {
  event: AgentEvent
  /** Grows with every event that joins: characters of a delta, updates of a progress. */
  size: number
}

/** The events of one turn, for any number of readers at any time. A slow or late reader gets deltas joined. */
export class EventLog implements AsyncIterable<AgentEvent> {
  readonly #entries: Entry[] = []
  #waiting: (() => void)[] = []
  #isClosed = false

  /** Adds an event; after `close` it is dropped. */
  push(event: AgentEvent): void {
    if (this.#isClosed) return
    const last = this.#entries.at(-1)
    if (!last || !joinEvent(last, event)) this.#entries.push({ event, size: textOf(event)?.length ?? 1 })
    this.#wake()
  }

  /** Lets readers end. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void> {
    let index = 0
    let seen = 0
    for (;;) {
      const entry = this.#entries[index]
      if (entry && seen < entry.size) {
        const event = unseenEvent(entry.event, seen)
        seen = entry.size
        yield event
      } else if (index < this.#entries.length - 1) {
        index++
        seen = 0
      } else if (this.#isClosed) return
      else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }
}

type Delta = Extract<AgentEvent, { type: 'text-delta' | 'reasoning-delta' }>

function isDelta(event: AgentEvent): event is Delta {
  return event.type === 'text-delta' || event.type === 'reasoning-delta'
}

function joinEvent(entry: Entry, event: AgentEvent): boolean {
  const joined = entry.size < pieceChars ? joinWith(entry.event, event) : undefined
  if (!joined) return false
  entry.event = joined
  entry.size += textOf(event)?.length ?? 1
  return true
}

/** Both as one event; `undefined`: they do not belong together. What a sub-agent does is joined inside of its own events. */
function joinWith(last: AgentEvent, event: AgentEvent): AgentEvent | undefined {
  if (last.type === 'agent-event' && event.type === 'agent-event' && last.agent.id === event.agent.id) {
    const inner = joinWith(last.event, event.event)
    return inner && { ...last, event: inner }
  }
  if (isDelta(event) && isDelta(last) && last.type === event.type && last.id === event.id) return { ...last, text: last.text + event.text }
  return event.type === 'tool-progress' && last.type === 'tool-progress' && last.callId === event.callId ? event : undefined
}

/** The text of a delta, be it that of a sub-agent. */
function textOf(event: AgentEvent): string | undefined {
  if (event.type === 'agent-event') return textOf(event.event)
  return isDelta(event) ? event.text : undefined
}

function unseenEvent(event: AgentEvent, seen: number): AgentEvent {
  if (event.type === 'agent-event') return { ...event, event: unseenEvent(event.event, seen) }
  return isDelta(event) && seen > 0 ? { ...event, text: event.text.slice(seen) } : event
}
