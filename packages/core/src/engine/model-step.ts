import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { AgentTurn, AssistantMessage, New, RuntimeEvent } from '@hermes/plugin-sdk'
import { failureError, judgeFailure } from './failures.js'
import { ModelAnswer } from './model-answer.js'
import type { ModelPort } from './model-port.js'
import type { Asked, ModelRequests } from './model-requests.js'
import { modelRef } from './model.js'
import { thinksSilently } from './request-size.js'
import { retryDelayMs, type RetryPolicy } from './retry-policy.js'
import { noUsage } from './usage.js'

/** How a step asks. */
export interface ModelStep extends Asked {
  readonly requests: ModelRequests
  readonly retry: RetryPolicy
}

/**
 * One step: the request, tried again where that can help, and its answer, which is returned and not yielded. A request that the model
 * refuses for something that it can do without is sent without it at once, and no such attempt counts. What an attempt showed before
 * it failed stays an observation. Throws `model.failed`, an error that is none of a model as it is, and the signal's reason.
 */
export async function* runStep(turn: AgentTurn, step: ModelStep): AsyncGenerator<RuntimeEvent, New<AssistantMessage>> {
  const { requests, retry } = step
  const { model } = requests
  for (let attempt = 1; ; attempt++) {
    yield { type: 'step-start', model: modelRef(model) }
    const answer = new ModelAnswer(model)
    try {
      yield* streamAnswer(answer, { model, options: await requests.next(step), signal: turn.signal })
      const message = answer.message()
      yield { type: 'step-end', finish: message.finish, usage: message.usage ?? noUsage }
      return message
    } catch (error) {
      turn.signal.throwIfAborted()
      const isCutTelling = answer.isEmpty && !thinksSilently(model.modelId)
      const judged = judgeFailure(error, { now: turn.clock.now(), size: requests.size, isCutTelling })
      const { failure, without } = judged
      if (failure.reason === 'runtime') throw error
      const state = without && requests.concede(without)
      if (state !== undefined) {
        yield { type: 'state-set', state }
        yield { type: 'retry-wait', failure, attempt, delayMs: 0 }
        attempt--
        continue
      }
      const delayMs = retryDelayMs(judged, attempt, { retry, clock: turn.clock })
      if (delayMs === undefined) throw failureError(failure)
      yield { type: 'retry-wait', failure, attempt, delayMs }
      await turn.clock.sleep(delayMs, turn.signal)
    }
  }
}

async function* streamAnswer(
  answer: ModelAnswer,
  request: { readonly model: ModelPort; readonly options: LanguageModelV3CallOptions; readonly signal: AbortSignal },
): AsyncGenerator<RuntimeEvent, void> {
  const { model, options, signal } = request
  const { stream } = await model.doStream({ ...options, abortSignal: signal })
  const reader = stream.getReader()
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    while (!answer.isFinished) {
      signal.throwIfAborted()
      const { done, value } = await reader.read()
      if (done) throw cutOff(answer)
      const event = answer.take(value)
      if (event) yield event
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

function cutOff(answer: ModelAnswer): Error {
  if (answer.isEmpty) return failureError({ reason: 'empty-response', message: 'The model ended without an answer.' })
  return failureError({ reason: 'timeout', message: 'The connection ended before the answer of the model did.' })
}
