import { z } from 'zod'
import type { CallId, CallPart, JsonValue, New, Question, ToolBox, ToolMessage, ToolResult, TurnRef } from '@hermes/plugin-sdk'
import { isReplayable, type AnyTool } from './any-tool.js'
import { closingResult } from './close-calls.js'
import type { EventLog } from './event-log.js'
import type { HostedTurn } from './hosted-turn.js'
import { resultOf, type CallRequest, type KnownCalls } from './known-calls.js'
import type { ToolHooks } from './tool-hooks.js'
import { inputSchemaOf } from './tool-listing.js'
import { describeThrown, errorResult, limitResult, toResult } from './tool-result.js'
import { runTool, type ToolEnd, type ToolRunOptions } from './tool-run.js'
import { claimsOf, ToolSlots } from './tool-slots.js'
import { approvalOf, refusalOf } from './tool-approval.js'
import { ToolAsking } from './tool-asking.js'
import type { TurnControl } from './turn-control.js'
import type { TurnInbox } from './turn-inbox.js'
import type { TurnLedger } from './turn-ledger.js'
import type { TurnQuestions } from './turn-questions.js'

const defaultTimeoutMs = 600_000

/** A call whose name and input are fine, or the reason why it is refused. */
type Prepared = ReadyCall | { readonly refusal: string; readonly isDenied?: boolean }

/** A call that may run. */
interface ReadyCall {
  /** As it runs: plugins may have changed its input. */
  readonly call: CallPart
  readonly tool: AnyTool
  readonly input: unknown
  /** Plugins want a person to be asked; with these words. */
  readonly wanted?: { readonly message?: string | undefined } | undefined
}

/** What comes of a call. */
type SettledResult = Pick<ToolMessage, 'status' | 'parts' | 'endsTurn' | 'durationMs'>

/** What the calls of a turn work with. */
export interface ToolCallsParts {
  readonly hosted: HostedTurn
  /** Its signal is that of this life. */
  readonly turn: TurnRef
  readonly hooks: ToolHooks
  readonly tools: ReadonlyMap<string, AnyTool>
  readonly known: KnownCalls
  readonly ledger: TurnLedger
  readonly inbox: TurnInbox
  readonly questions: TurnQuestions
  readonly events: EventLog
  readonly control: TurnControl
  readonly graceMs: number
}

/** The calls of one turn, and the whole walk of each: check, plugins, approval, slot, intent, run, plugins, limit, result. */
export class ToolCalls implements Pick<ToolBox, 'call'> {
  readonly #parts: ToolCallsParts
  readonly #slots = new ToolSlots()
  readonly #walks = new Map<CallId, Promise<ToolMessage>>()
  readonly #running = new Map<CallId, Promise<ToolMessage>>()

  constructor(parts: ToolCallsParts) {
    this.#parts = parts
  }

  /** Nothing is under way. */
  get isIdle(): boolean {
    return this.#running.size === 0
  }

  /** May this call be made again whose first run may have had effects? */
  isReplayable(call: CallPart): boolean {
    return isReplayable(this.#parts.tools.get(call.name))
  }

  /** Resolves when every call that was made has its result. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  /** Resolves when every call that was made of the newest answer has its result. */
  async batchSettled(): Promise<void> {
    const { known } = this.#parts
    await Promise.all([...this.#running].filter(([callId]) => known.isExpected(callId)).map(([, walk]) => walk))
  }

  /** The first result of a call wins: a second `call` with the same id gets it as well. Never rejects. */
  call(request: CallRequest): Promise<ToolMessage> {
    const { known } = this.#parts
    const callId = known.idOf(request.callId, (id) => this.#walks.has(id))
    const made = this.#walks.get(callId)
    if (made) return made
    const walk = this.#walk({ ...request, callId })
    this.#walks.set(callId, walk)
    this.#running.set(callId, walk)
    void walk.finally(() => this.#running.delete(callId))
    return walk
  }

  /** The runtime is about to run a call by itself. Resolves when the intent is written. */
  async begin(request: { readonly callId: string; readonly name: string; readonly input: JsonValue }): Promise<void> {
    const { known, control } = this.#parts
    const callId = known.idOf(request.callId, (id) => known.hasStarted(id))
    if (known.hasStarted(callId) || this.#stored(callId)) return
    const call = known.find({ ...request, callId })
    await this.#writeIntent(call)
    if (!control.signal.aborted) this.#start(call)
  }

  /** What the runtime tells of a call that it runs by itself. */
  progress(callId: string, update: ToolResult): void {
    const { known, control, events } = this.#parts
    const id = known.idOf(callId, (each) => this.#stored(each) !== undefined)
    if (!control.signal.aborted) events.push({ type: 'tool-progress', callId: id, update: toResult(update) })
  }

  /** The runtime ran a call by itself. The first result counts. */
  async end(result: New<ToolMessage>): Promise<void> {
    const { known, hooks } = this.#parts
    const callId = known.idOf(result.callId, (id) => this.#stored(id) !== undefined)
    if (this.#stored(callId)) return
    const call = known.find({ callId, name: result.name, input: {} })
    const { parts, isError } = toResult(result)
    const { status, endsTurn, durationMs } = result
    const end = { status: isError ? 'error' : status, parts, endsTurn, durationMs } as const
    hooks.ended(call, end)
    await this.#write(call, end)
  }

  /** A result that is stored already; that of an early call counts only once its answer came. */
  #stored(callId: CallId): ToolMessage | undefined {
    const { ledger } = this.#parts
    return ledger.order.hasCall(callId) ? resultOf(ledger.messages, callId) : undefined
  }

  async #walk(request: CallRequest & { readonly callId: CallId }): Promise<ToolMessage> {
    const stored = this.#stored(request.callId)
    if (stored) return stored
    const call = this.#parts.known.find(request)
    const prepared = this.#prepare(call, request)
    const slot = this.#slots.take(prepared.then((ready) => ('tool' in ready ? claimsOf(ready.tool, ready.input) : [])))
    try {
      const ready = await prepared
      if (this.#parts.control.signal.aborted) return this.#closed(call)
      if ('refusal' in ready) return await this.#settle(call, ready.isDenied ? deniedResult(ready.refusal) : refusedResult(ready.refusal))
      const refusal = await this.#askApproval(ready)
      if (refusal) return await this.#settle(ready.call, refusal)
      await Promise.race([slot.isFree, this.#parts.control.interrupted])
      return await this.#run(ready)
    } catch (error) {
      this.#parts.control.fail(error)
      return this.#closed(call)
    } finally {
      slot.release()
    }
  }

  async #prepare(call: CallPart, request: CallRequest): Promise<Prepared> {
    const { name } = call
    if (this.#parts.known.isCutOff(call.callId))
      return { refusal: 'Not run: the answer was cut off at its length limit, so the input of this call may be incomplete.' }
    if (call.unparsed !== undefined) return { refusal: `The input of ${name} is not valid JSON: ${call.unparsed}` }
    const tool = this.#parts.tools.get(name)
    if (!tool) {
      const names = [...this.#parts.tools.keys()].toSorted().join(', ')
      return { refusal: `There is no tool ${JSON.stringify(name)}. ${names ? `The tools are: ${names}.` : 'There are no tools.'}` }
    }
    const ready = await readyCall(call, tool, request.input)
    return 'refusal' in ready ? ready : this.#askPlugins(ready, request.input)
  }

  /** What they were shown, or made of it, is checked again and is what runs. */
  async #askPlugins(ready: ReadyCall, given: unknown): Promise<Prepared> {
    const { call, tool } = ready
    try {
      const verdict = await this.#parts.hooks.decide(call, given)
      if (!verdict) return ready
      if (verdict.action === 'block') return { refusal: verdict.message, isDenied: true }
      const decided = await readyCall({ ...call, input: verdict.input }, tool, verdict.input)
      return 'refusal' in decided || verdict.action === 'run' ? decided : { ...decided, wanted: { message: verdict.message } }
    } catch (error) {
      return { refusal: `Invalid input for ${call.name}: ${describeThrown(error)}` }
    }
  }

  /** Why the call may not start, if it may not. A turn that came to its end meanwhile needs no reason: the call is closed. */
  async #askApproval({ call, tool, input, wanted }: ReadyCall): Promise<SettledResult | undefined> {
    const { questions, control, known, hosted } = this.#parts
    if (control.signal.aborted || known.hasIntent(call.callId)) return undefined
    const record = hosted.recordOf?.(tool)
    try {
      const find = (): Promise<Question | undefined> => approvalOf(tool, { call, input, wanted })
      const question = await (record ? record.run(find) : find())
      const answer = question && (await questions.ask(question))
      if (answer === undefined || answer.kind === 'approved' || control.signal.aborted) return undefined
      return deniedResult(refusalOf(answer))
    } catch (error) {
      record?.failed(error)
      return refusedResult(`Not run: its approval failed: ${describeThrown(error)}`)
    }
  }

  async #run({ call, tool, input }: ReadyCall): Promise<ToolMessage> {
    const { control, hosted } = this.#parts
    if (control.signal.aborted) return this.#closed(call)
    await this.#writeIntent(call)
    if (control.signal.aborted) return this.#closed(call)
    this.#start(call)
    const startedAt = hosted.clock.now()
    const asking = new ToolAsking(call.callId, { questions: this.#parts.questions, clock: hosted.clock })
    const end = await runTool(tool, {
      input,
      asking,
      context: this.#context(call),
      stop: control.signal,
      whenCut: control.whenCut,
      timeoutMs: tool.timeoutMs ?? hosted.toolTimeoutMs ?? defaultTimeoutMs,
      graceMs: this.#parts.graceMs,
      clock: hosted.clock,
      record: hosted.recordOf?.(tool),
    })
    const isCutShort = end.status === 'interrupted' || asking.wasStopped
    if (control.isCut || (isCutShort && control.reason?.kind === 'shutdown' && isReplayable(tool))) return this.#closed(call)
    return this.#settle(call, { ...resultOfRun(end), durationMs: hosted.clock.now() - startedAt }, tool.maxResultChars)
  }

  /** An intent that an earlier life wrote is not written again; the journal only says whether this life may still act on it. */
  async #writeIntent({ callId, name, input }: CallPart): Promise<void> {
    const { known, ledger } = this.#parts
    await ledger.commit({ facts: known.hasIntent(callId) ? [] : [{ kind: 'intent', callId, name, input }], events: [] })
    known.intended(callId)
  }

  #start({ callId, name, input }: CallPart): void {
    this.#parts.known.started(callId)
    this.#parts.events.push({ type: 'tool-start', callId, name, input })
  }

  #context(call: CallPart): ToolRunOptions['context'] {
    const { hosted, turn, control, inbox, events } = this.#parts
    const { callId } = call
    return {
      turn,
      callId,
      media: hosted.media,
      attention: inbox.attention,
      progress: (update) => {
        if (!control.signal.aborted) events.push({ type: 'tool-progress', callId, update: toResult(update) })
      },
    }
  }

  /** Plugins hear how it ended, and may change what goes on from it. */
  async #settle(call: CallPart, end: SettledResult, maxChars?: number): Promise<ToolMessage> {
    const { hooks } = this.#parts
    hooks.ended(call, end)
    return this.#write(call, await hooks.transform(call, end), maxChars)
  }

  async #write(call: CallPart, end: SettledResult, maxChars?: number): Promise<ToolMessage> {
    const { ledger, control, known, hosted } = this.#parts
    const { parts } = await limitResult(end, { media: hosted.media, maxChars, name: `${call.name}.txt` })
    const { status, endsTurn, durationMs } = end
    const message = ledger.stamp({
      role: 'tool',
      callId: call.callId,
      name: call.name,
      status,
      parts,
      endsTurn,
      durationMs,
    } satisfies New<ToolMessage>)
    if (known.isEarly(call.callId) && !known.hasIntent(call.callId)) await this.#writeIntent(call)
    if (!control.isCut) await ledger.commit({ facts: [{ kind: 'message', message }], events: [{ type: 'tool-end', message }] })
    return message
  }

  /** What a caller gets whose call the host closes: not written here. */
  #closed(call: CallPart): ToolMessage {
    return this.#parts.ledger.stamp(closingResult(call, this.#parts.known.hasStarted(call.callId) ? 'interrupted' : 'skipped'))
  }
}

/** Checks an input by the schema of its tool. */
async function readyCall(call: CallPart, tool: AnyTool, given: unknown): Promise<ReadyCall | { readonly refusal: string }> {
  try {
    const parsed = await inputSchemaOf(tool).safeParseAsync(given)
    return parsed.success ? { call, tool, input: parsed.data } : { refusal: `Invalid input for ${call.name}:\n${z.prettifyError(parsed.error)}` }
  } catch (error) {
    return { refusal: `Invalid input for ${call.name}: ${describeThrown(error)}` }
  }
}

function resultOfRun(end: ToolEnd): SettledResult {
  if (end.status !== 'interrupted') return { ...end.result, status: end.status }
  return { status: 'interrupted', parts: [{ type: 'text', text: `Interrupted: ${end.why}. It may have had effects.` }] }
}

function deniedResult(text: string): SettledResult {
  return { status: 'denied', parts: [{ type: 'text', text }] }
}

function refusedResult(error: string): SettledResult {
  return { ...errorResult(error), status: 'error' }
}
