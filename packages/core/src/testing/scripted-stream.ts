import { APICallError, type LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { Clock, Finish, JsonValue } from '@hermes/plugin-sdk'

/** One thing that a scripted model does. */
export type ScriptStep =
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly toolCall: { readonly name: string; readonly input: JsonValue; readonly id?: string | undefined } }
  /** A call whose input is this text, JSON or not. */
  | { readonly rawToolCall: { readonly name: string; readonly input: string; readonly id?: string | undefined } }
  /** Tokens that `finish` tells. Default 10 in, 5 out. */
  | { readonly usage: { readonly input: number; readonly output: number } }
  | { readonly delayMs: number }
  /** Before anything was said the call fails with this status, later it is an error part of the stream. */
  | {
      readonly error: {
        readonly status: number
        readonly message?: string | undefined
        readonly body?: string | undefined
        readonly headers?: Record<string, string> | undefined
      }
    }
  /** Waits for this; it is given the signal of the call. */
  | { readonly wait: (signal: AbortSignal | undefined) => Promise<void> }
  /** Waits until it is aborted. */
  | { readonly hang: true }
  /** The stream ends here, without `finish`. */
  | { readonly cut: true }
  /** How it ends. Default: `tool-calls` behind calls, else `stop`. */
  | { readonly finish: Finish }

/** What a script plays in. */
export interface ScriptScene {
  readonly clock: Clock
  readonly deltaDelayMs: number
  readonly signal: AbortSignal | undefined
  /** Begins the ids of calls. */
  readonly callPrefix: string
}

/** Plays what comes before the first words: a provider that fails here fails the call itself. Answers the steps that remain. */
export async function openScript(steps: readonly ScriptStep[], scene: ScriptScene): Promise<readonly ScriptStep[]> {
  scene.signal?.throwIfAborted()
  for (const [index, step] of steps.entries()) {
    if ('error' in step) throw apiError(step.error)
    if ('delayMs' in step) await scene.clock.sleep(step.delayMs, scene.signal)
    else if ('wait' in step) await step.wait(scene.signal)
    else if ('hang' in step) await untilAborted(scene.signal)
    else return steps.slice(index)
  }
  return []
}

/** The steps as the parts of a stream. */
export function streamScript(steps: readonly ScriptStep[], scene: ScriptScene): ReadableStream<LanguageModelV3StreamPart> {
  const parts = playSteps(steps, scene)
  return new ReadableStream<LanguageModelV3StreamPart>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return()
    },
  })
}

async function* playSteps(steps: readonly ScriptStep[], scene: ScriptScene): AsyncGenerator<LanguageModelV3StreamPart, void> {
  let finish: Finish | undefined
  let usage = { input: 10, output: 5 }
  let hasCalls = false
  yield { type: 'stream-start', warnings: [] }
  for (const [index, step] of steps.entries()) {
    scene.signal?.throwIfAborted()
    if ('cut' in step) return
    if ('text' in step) yield* playText('text', step.text, { ...scene, id: `${index}` })
    else if ('reasoning' in step) yield* playText('reasoning', step.reasoning, { ...scene, id: `${index}` })
    else if ('toolCall' in step || 'rawToolCall' in step) {
      hasCalls = true
      yield* playCall(step, `${scene.callPrefix}-${index}`)
    } else if ('usage' in step) usage = step.usage
    else if ('finish' in step) finish = step.finish
    else if ('error' in step) yield { type: 'error', error: apiError(step.error) }
    else if ('delayMs' in step) await scene.clock.sleep(step.delayMs, scene.signal)
    else if ('wait' in step) await step.wait(scene.signal)
    else await untilAborted(scene.signal)
  }
  yield finishPart(finish ?? (hasCalls ? 'tool-calls' : 'stop'), usage)
}

async function* playText(
  type: 'text' | 'reasoning',
  text: string,
  scene: ScriptScene & { readonly id: string },
): AsyncGenerator<LanguageModelV3StreamPart, void> {
  const { id } = scene
  yield { type: `${type}-start`, id }
  for (const delta of text.split(/(?<=\s)(?=\S)/)) {
    if (scene.deltaDelayMs > 0) await scene.clock.sleep(scene.deltaDelayMs, scene.signal)
    scene.signal?.throwIfAborted()
    yield { type: `${type}-delta`, id, delta }
  }
  yield { type: `${type}-end`, id }
}

function* playCall(
  step: Extract<ScriptStep, { toolCall: unknown } | { rawToolCall: unknown }>,
  defaultId: string,
): Generator<LanguageModelV3StreamPart, void> {
  const { name: toolName, id = defaultId } = 'toolCall' in step ? step.toolCall : step.rawToolCall
  const input = 'toolCall' in step ? JSON.stringify(step.toolCall.input) : step.rawToolCall.input
  yield { type: 'tool-input-start', id, toolName }
  yield { type: 'tool-input-delta', id, delta: input }
  yield { type: 'tool-input-end', id }
  yield { type: 'tool-call', toolCallId: id, toolName, input }
}

function finishPart(unified: Finish, usage: { readonly input: number; readonly output: number }): LanguageModelV3StreamPart {
  return {
    type: 'finish',
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: usage.input, noCache: usage.input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: usage.output, text: usage.output, reasoning: 0 },
    },
  }
}

function apiError({ status, message, body, headers }: Extract<ScriptStep, { error: unknown }>['error']): APICallError {
  return new APICallError({
    message: message ?? `The script fails with status ${status}.`,
    url: 'https://scripted.invalid/',
    requestBodyValues: {},
    statusCode: status,
    ...(headers && { responseHeaders: headers }),
    ...(body !== undefined && { responseBody: body }),
  })
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
