import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { AgentTurn, AssistantMessage, New, RuntimeEvent } from '@hermes/plugin-sdk'
import { classifyFailure, failureError } from './failures.js'
import { ModelAnswer } from './model-answer.js'
import { modelRef, type Model } from './model.js'
import { retryDelayMs, type RetryPolicy } from './retry-policy.js'
import { noUsage } from './usage.js'

/** One request to a model. */
export interface ModelRequest {
  readonly model: Model
  readonly options: LanguageModelV3CallOptions
  readonly retry: RetryPolicy
}

/**
 * One step: the request, tried again where that can help, and its answer, which is returned and not yielded. What an attempt showed
 * before it failed stays an observation. Throws `model.failed`, an error that is none of a model as it is, and the signal's reason.
 */
export async function* runStep(turn: AgentTurn, request: ModelRequest): AsyncGenerator<RuntimeEvent, New<AssistantMessage>> {
  for (let attempt = 1; ; attempt++) {
    yield { type: 'step-start', model: modelRef(request.model) }
    try {
      const answer = yield* streamAnswer(request, turn.signal)
      yield { type: 'step-end', finish: answer.finish, usage: answer.usage ?? noUsage }
      return answer
    } catch (error) {
      turn.signal.throwIfAborted()
      const failure = classifyFailure(error, turn.clock.now())
      if (failure.reason === 'runtime') throw error
      const delayMs = retryDelayMs(failure, attempt, { retry: request.retry, clock: turn.clock })
      if (delayMs === undefined) throw failureError(failure)
      yield { type: 'retry-wait', failure, attempt, delayMs }
      await turn.clock.sleep(delayMs, turn.signal)
    }
  }
}

async function* streamAnswer({ model, options }: ModelRequest, signal: AbortSignal): AsyncGenerator<RuntimeEvent, New<AssistantMessage>> {
  const { stream } = await model.doStream({ ...options, abortSignal: signal })
  const reader = stream.getReader()
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  const answer = new ModelAnswer(model)
  try {
    while (!answer.isFinished) {
      signal.throwIfAborted()
      const { done, value } = await reader.read()
      if (done) throw cutOff(answer)
      const event = answer.take(value)
      if (event) yield event
    }
    return answer.message()
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

function cutOff(answer: ModelAnswer): Error {
  if (answer.isEmpty) return failureError({ reason: 'empty-response', message: 'The model ended without an answer.' })
  return failureError({ reason: 'timeout', message: 'The connection ended before the answer of the model did.' })
}
