import type { AgentFailure, FailureReason, TurnOutcome } from '@hermes/plugin-sdk'
import { expect, it } from 'vitest'
import { textOfOutcome } from './outcome-text.js'

const failed = (failure: AgentFailure): TurnOutcome => ({
  status: 'failed',
  text: '',
  steps: 1,
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  failure,
})

/** What a person can do about it; the compiler says when a reason is missing. */
const advice: { readonly [R in FailureReason]: RegExp } = {
  auth: /operator/,
  billing: /operator/,
  'rate-limit': /try again in a few minutes/,
  overloaded: /try again in a few minutes/,
  'server-error': /try again in a few minutes/,
  timeout: /try again/,
  'context-overflow': /\/new/,
  'payload-too-large': /\/new/,
  'image-too-large': /smaller/,
  'model-not-found': /operator/,
  'policy-blocked': /operator/,
  'content-policy': /ask differently/,
  'format-error': /operator/,
  'replay-refused': /\/new/,
  'empty-response': /ask again/,
  runtime: /operator/,
  unknown: /try again/,
}

// engine 2.12
it.each(Object.entries(advice) as [FailureReason, RegExp][])(
  'a turn that failed with %s tells a person what to do, and nothing of the error',
  (reason, words) => {
    const text = textOfOutcome(failed({ reason, message: 'secret words of a provider', status: 418 })) ?? ''
    expect(text).toMatch(words)
    expect(text).not.toMatch(/secret|418|undefined/)
  },
)
