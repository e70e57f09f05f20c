import {
  UnsupportedFunctionalityError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3StreamResult,
  type LanguageModelV3ToolResultOutput,
} from '@ai-sdk/provider'
import type { Clock, JsonValue } from '@hermes/plugin-sdk'
import type { ModelScript, ScriptedReply, SentMessage } from '@hermes/plugin-sdk/conformance'
import { systemClock } from '../kernel/index.js'
import { openScript, streamScript, type ScriptStep } from './scripted-stream.js'

/** What the model does when it is asked: steps, or a text that it streams word by word. */
export type ScriptedAnswer = string | readonly ScriptStep[]

/** The answers in the order of the calls, or one function for all of them. What a function throws, the call rejects with. */
export type Script = ScriptedAnswerMaker | readonly (ScriptedAnswer | ScriptedAnswerMaker)[]
type ScriptedAnswerMaker = (options: LanguageModelV3CallOptions, call: number) => ScriptedAnswer

export interface ScriptedModelOptions {
  /** Behind the last answer of a list: `strict` (default) rejects, `loop` begins again. */
  readonly mode?: 'strict' | 'loop' | undefined
  /** Wait before every word. Default 0. */
  readonly deltaDelayMs?: number | undefined
  readonly clock?: Clock | undefined
  /** Default `scripted`. */
  readonly provider?: string | undefined
  /** Default `script`. */
  readonly modelId?: string | undefined
}

const recordedCalls = 1_000

/**
 * A language model without a network that says what its script says, always the same. It honours the abort signal and records what it
 * was asked: for tests, and for demos without a key.
 */
export class ScriptedModel implements LanguageModelV3 {
  readonly specificationVersion = 'v3'
  readonly provider: string
  readonly modelId: string
  readonly supportedUrls = {}
  readonly #script: Script
  readonly #options: ScriptedModelOptions
  readonly #calls: LanguageModelV3CallOptions[] = []
  #asked = 0

  constructor(script: Script, options: ScriptedModelOptions = {}) {
    this.#script = script
    this.#options = options
    this.provider = options.provider ?? 'scripted'
    this.modelId = options.modelId ?? 'script'
  }

  /** Says what the last user message says. */
  static echo(options?: ScriptedModelOptions): ScriptedModel {
    return new ScriptedModel((call) => lastUserText(call), options)
  }

  /** Calls a tool, then answers; with the result itself unless `answer` is given. */
  static toolThenAnswer(
    plan: { readonly name: string; readonly input: JsonValue; readonly answer?: string | undefined },
    options?: ScriptedModelOptions,
  ): ScriptedModel {
    return new ScriptedModel((call) => {
      const tail = call.prompt.at(-1)
      if (tail?.role !== 'tool') return [{ toolCall: { name: plan.name, input: plan.input } }]
      return plan.answer ?? resultText(tail)
    }, options)
  }

  /** Fails a number of times, then answers. */
  static failThenSucceed(
    plan: { readonly status: number; readonly times: number; readonly headers?: Record<string, string> | undefined; readonly answer: string },
    options?: ScriptedModelOptions,
  ): ScriptedModel {
    const { status, headers, times, answer } = plan
    return new ScriptedModel((_call, index) => (index < times ? [{ error: { status, headers } }] : answer), options)
  }

  /** Plays the script of a case of `agentRuntimeConformance`. */
  static playing(script: ModelScript, options?: ScriptedModelOptions): ScriptedModel {
    return new ScriptedModel(({ prompt }) => stepsOf(script.next(prompt.flatMap(sentMessages))), options)
  }

  /** What it was asked, oldest first and frozen, without the signals; the newest 1,000. */
  get calls(): readonly LanguageModelV3CallOptions[] {
    return this.#calls
  }

  /** Rejects with what the script says before it says anything else. */
  async doStream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    const call = this.#asked++
    this.#record(options)
    const answer = this.#answerOf(options, call)
    const steps = typeof answer === 'string' ? [{ text: answer }] : answer
    const { clock = systemClock, deltaDelayMs = 0 } = this.#options
    const scene = { clock, deltaDelayMs, signal: options.abortSignal, callPrefix: `call-${options.prompt.length}` }
    return { stream: streamScript(await openScript(steps, scene), scene) }
  }

  doGenerate(): Promise<never> {
    return Promise.reject(new UnsupportedFunctionalityError({ functionality: 'doGenerate', message: 'ScriptedModel only streams: use doStream.' }))
  }

  #record({ abortSignal: _signal, ...options }: LanguageModelV3CallOptions): void {
    if (this.#calls.length === recordedCalls) this.#calls.shift()
    this.#calls.push(deepFreeze(structuredClone(options)))
  }

  #answerOf(options: LanguageModelV3CallOptions, call: number): ScriptedAnswer {
    const script = this.#script
    if (typeof script === 'function') return script(options, call)
    const answer = script[this.#options.mode === 'loop' ? call % script.length : call]
    if (answer === undefined) throw new Error(`ScriptedModel was called ${call + 1} times, and its script has ${script.length} answers.`)
    return typeof answer === 'function' ? answer(options, call) : answer
  }
}

function stepsOf({ text, calls = [], wait, failure }: ScriptedReply): readonly ScriptStep[] {
  if (failure) return [{ error: failure }]
  return [...(text === undefined ? [] : [{ text }]), ...calls.map((toolCall) => ({ toolCall })), ...(wait ? [{ wait }] : [])]
}

function sentMessages(message: LanguageModelV3CallOptions['prompt'][number]): readonly SentMessage[] {
  if (message.role === 'system') return []
  const texts = message.content.flatMap((part) => (part.type === 'tool-result' ? [outputText(part.output)] : part.type === 'text' ? [part.text] : []))
  return message.role === 'assistant' ? [{ role: 'assistant', text: texts.join('') }] : texts.map((text) => ({ role: message.role, text }))
}

function lastUserText({ prompt }: LanguageModelV3CallOptions): string {
  const last = prompt.findLast((message) => message.role === 'user')
  const parts = last?.role === 'user' ? last.content : []
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

function resultText({ content }: Extract<LanguageModelV3CallOptions['prompt'][number], { role: 'tool' }>): string {
  return content.map((part) => (part.type === 'tool-result' ? outputText(part.output) : '')).join('\n')
}

function outputText(output: LanguageModelV3ToolResultOutput): string {
  const value = 'value' in output ? output.value : ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
