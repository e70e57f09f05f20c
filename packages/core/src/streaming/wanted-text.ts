import type { AgentEvent } from '@hermes/plugin-sdk'

/** What an event changes for the eye: the text of the current message, whole, or the end of that message. */
export type WantedChange = { readonly kind: 'set'; readonly text: string } | { readonly kind: 'segment' }

/** Turns the events of one turn into the text that is to be seen. */
export interface WantedText {
  /** Takes the next event; `undefined`: it changes nothing for the eye. */
  next(event: AgentEvent): WantedChange | undefined
}

/**
 * Makes the reducer for one turn. Reasoning is not shown. Each step of the model has a text of its own: one whose answer was stored
 * ends the message before tools run or a further step begins; one that is tried again begins its text anew.
 */
export function createWantedText(): WantedText {
  return new StepText()
}

class StepText implements WantedText {
  #text = ''
  #isStored = false

  next(event: AgentEvent): WantedChange | undefined {
    switch (event.type) {
      case 'text-delta':
        if (event.text === '') return undefined
        this.#text += event.text
        return { kind: 'set', text: this.#text }
      case 'message-add':
        if (event.message.role === 'assistant') this.#isStored = true
        return undefined
      case 'tool-start':
        return this.#isStored ? this.#beginAnew() : undefined
      case 'step-start':
        return this.#beginAnew()
      default:
        return undefined
    }
  }

  #beginAnew(): WantedChange | undefined {
    const isMessage = this.#isStored && this.#text !== ''
    this.#text = ''
    this.#isStored = false
    return isMessage ? { kind: 'segment' } : undefined
  }
}
