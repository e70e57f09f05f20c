import type { TurnHooks } from '../engine/index.js'
import type { HookBus } from '../hooks/index.js'
import { redactError, type Redactor } from '../kernel/index.js'

/** The hooks of a gateway as its turns call them. Nobody waits for those who only watch, and what SDKs said is told without secrets. */
export function createTurnHooks(bus: HookBus, { redact }: Pick<Redactor, 'redact'>): TurnHooks {
  return {
    isTapped: (name) => bus.isTapped(name),
    turnStart: (payload) => bus.turnStart(payload),
    preToolCall: (payload) => bus.preToolCall(payload),
    transformToolResult: (payload) => bus.transformToolResult(payload),
    transformAnswer: (payload) => bus.transformAnswer(payload),
    streamDelta: (payload) => bus.streamDelta(payload),
    postToolCall: (payload) => void bus.tell('postToolCall', payload),
    preModelCall: (payload) => void bus.tell('preModelCall', payload),
    postModelCall: (payload) => void bus.tell('postModelCall', payload),
    modelError({ failure, ...call }) {
      const cause = failure.cause === undefined ? undefined : redactError(failure.cause, redact)
      void bus.tell('modelError', { ...call, failure: { ...failure, message: redact(failure.message), cause } })
    },
  }
}
