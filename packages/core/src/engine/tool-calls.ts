import { z } from 'zod'
import type { AssistantMessage, CallId, CallPart, New, ToolBox, ToolMessage, ToolResult } from '@hermes/plugin-sdk'
import { isReplayable, type AnyTool } from './any-tool.js'
import { closingResult } from './close-calls.js'
import type { EventLog } from './event-log.js'
import type { HostedTurn } from './hosted-turn.js'
import { inputSchemaOf } from './tool-listing.js'
import { errorResult, limitResult, toResult } from './tool-result.js'
import { runTool, type ToolEnd, type ToolRunOptions } from './tool-run.js'
import { claimsOf, ToolSlots } from './tool-slots.js'
import { approvalOf, refusalOf } from './tool-approval.js'
import { ToolAsking } from './tool-asking.js'
import { callsOf } from './transcript.js'
import type { TurnControl } from './turn-control.js'
import type { TurnInbox } from './turn-inbox.js'
import type { TurnLedger } from './turn-ledger.js'
import type { TurnQuestions } from './turn-questions.js'

const defaultTimeoutMs = 600_000

/** A call whose name and input are fine, or the reason why it is refused. */
type Prepared = { readonly tool: AnyTool; readonly input: unknown } | { readonly refusal: string }

/** What the calls of a turn work with. */
export interface ToolCallsParts {
  readonly turn: HostedTurn
  readonly tools: ReadonlyMap<string, AnyTool>
  /** Calls whose intent an earlier life wrote. */
  readonly intents: ReadonlySet<string>
  readonly ledger: TurnLedger
  readonly inbox: TurnInbox
  readonly questions: TurnQuestions
  readonly events: EventLog
  readonly control: TurnControl
  readonly graceMs: number
}

/** The calls of one turn, and the whole walk of each: check, approval, slot, intent, run, limit, result. */
export class ToolCalls implements Pick<ToolBox, 'call'> {
  readonly #parts: ToolCallsParts
  readonly #slots = new ToolSlots()
  readonly #walks = new Map<CallId, Promise<ToolMessage>>()
  readonly #running = new Set<Promise<ToolMessage>>()
  /** Calls of which this life wrote the intent, and those that then began to run. */
  readonly #intended = new Set<CallId>()
  readonly #started = new Set<CallId>()
  #answer: Pick<AssistantMessage, 'parts' | 'finish'> = { parts: [], finish: 'other' }

  constructor(parts: ToolCallsParts) {
    this.#parts = parts
  }

  /** Nothing is under way. */
  get isIdle(): boolean {
    return this.#running.size === 0
  }

  /** The calls that follow belong to this answer, which is written. */
  expect(answer: Pick<AssistantMessage, 'parts' | 'finish'>): void {
    this.#answer = answer
    this.#walks.clear()
    this.#intended.clear()
    this.#started.clear()
  }

  /**
   * How far a call of the newest answer came that has no result: begun in this life, in an earlier one, or never; `held-back` when only its
   * intent was written, because a stop came then.
   */
  progressOf(callId: CallId): 'begun' | 'begun-earlier' | 'held-back' | 'never-begun' {
    if (this.#started.has(callId)) return 'begun'
    if (this.#parts.intents.has(callId)) return 'begun-earlier'
    return this.#intended.has(callId) ? 'held-back' : 'never-begun'
  }

  /** May this call be made again whose first run may have had effects? */
  isReplayable(call: CallPart): boolean {
    return isReplayable(this.#parts.tools.get(call.name))
  }

  /** Resolves when every call that was made has its result. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** The first result of a call wins: a second `call` with the same id gets it as well. Never rejects. */
  call(request: { readonly callId: string; readonly name: string; readonly input: unknown }): Promise<ToolMessage> {
    const callId = request.callId as CallId
    const known = this.#walks.get(callId)
    if (known) return known
    const walk = this.#walk({ ...request, callId })
    this.#walks.set(callId, walk)
    this.#running.add(walk)
    void walk.finally(() => this.#running.delete(walk))
    return walk
  }

  async #walk(request: { readonly callId: CallId; readonly name: string; readonly input: unknown }): Promise<ToolMessage> {
    const call = callsOf(this.#answer).find((part) => part.callId === request.callId)
    if (!call) return this.#unwritten(request, errorResult(`No stored answer asks for the call ${request.callId}.`))
    const prepared = this.#prepare(call, request)
    const slot = this.#slots.take(prepared.then((ready) => ('tool' in ready ? claimsOf(ready.tool, ready.input) : [])))
    try {
      const ready = await prepared
      if ('refusal' in ready) return await this.#settle(call, { status: 'error', ...errorResult(ready.refusal) })
      const refusal = await this.#askApproval(call, ready)
      if (refusal) return await this.#settle(call, refusal)
      await Promise.race([slot.isFree, this.#parts.control.interrupted])
      return await this.#run(call, ready)
    } catch (error) {
      this.#parts.control.fail(error)
      return this.#closed(call)
    } finally {
      slot.release()
    }
  }

  async #prepare(call: CallPart, request: { readonly name: string; readonly input: unknown }): Promise<Prepared> {
    const { name } = call
    if (this.#answer.finish === 'length')
      return { refusal: 'Not run: the answer was cut off at its length limit, so the input of this call may be incomplete.' }
    if (call.unparsed !== undefined) return { refusal: `The input of ${name} is not valid JSON: ${call.unparsed}` }
    const tool = this.#parts.tools.get(name)
    if (!tool) {
      const names = [...this.#parts.tools.keys()].toSorted().join(', ')
      return { refusal: `There is no tool ${JSON.stringify(name)}. ${names ? `The tools are: ${names}.` : 'There are no tools.'}` }
    }
    try {
      const parsed = await inputSchemaOf(tool).safeParseAsync(request.input)
      return parsed.success ? { tool, input: parsed.data } : { refusal: `Invalid input for ${name}:\n${z.prettifyError(parsed.error)}` }
    } catch (error) {
      return { refusal: `Invalid input for ${name}: ${error instanceof Error ? error.message : String(error)}` }
    }
  }

  /** Why the call may not start, if it may not. A turn that came to its end meanwhile needs no reason: the call is closed. */
  async #askApproval(
    call: CallPart,
    { tool, input }: { readonly tool: AnyTool; readonly input: unknown },
  ): Promise<(ToolResult & Pick<ToolMessage, 'status'>) | undefined> {
    const { questions, control, intents } = this.#parts
    if (control.signal.aborted || intents.has(call.callId)) return undefined
    try {
      const question = await approvalOf(tool, call, input)
      const answer = question && (await questions.ask(question))
      if (answer === undefined || answer.kind === 'approved' || control.signal.aborted) return undefined
      return { status: 'denied', parts: [{ type: 'text', text: refusalOf(answer) }] }
    } catch (error) {
      return { status: 'error', ...errorResult(`Not run: its approval failed: ${error instanceof Error ? error.message : String(error)}`) }
    }
  }

  async #run(call: CallPart, { tool, input }: { readonly tool: AnyTool; readonly input: unknown }): Promise<ToolMessage> {
    const { control, turn } = this.#parts
    if (control.signal.aborted) return this.#closed(call)
    await this.#writeIntent(call)
    if (control.signal.aborted) return this.#closed(call)
    this.#start(call)
    const startedAt = turn.clock.now()
    const asking = new ToolAsking(call.callId, { questions: this.#parts.questions, clock: turn.clock })
    const end = await runTool(tool, {
      input,
      asking,
      context: this.#context(call),
      stop: control.signal,
      whenCut: control.whenCut,
      timeoutMs: tool.timeoutMs ?? turn.toolTimeoutMs ?? defaultTimeoutMs,
      graceMs: this.#parts.graceMs,
      clock: turn.clock,
    })
    const isCutShort = end.status === 'interrupted' || asking.wasStopped
    if (control.isCut || (isCutShort && control.reason?.kind === 'shutdown' && isReplayable(tool))) return this.#closed(call)
    return this.#settle(call, { ...(await this.#resultOf(call, tool, end)), durationMs: turn.clock.now() - startedAt })
  }

  /** An intent that an earlier life wrote is not written again; the journal only says whether this life may still act on it. */
  async #writeIntent({ callId, name, input }: CallPart): Promise<void> {
    const isWritten = this.#parts.intents.has(callId)
    await this.#parts.ledger.commit({ facts: isWritten ? [] : [{ kind: 'intent', callId, name, input }], events: [] })
    this.#intended.add(callId)
  }

  #start({ callId, name, input }: CallPart): void {
    this.#started.add(callId)
    this.#parts.events.push({ type: 'tool-start', callId, name, input })
  }

  #context(call: CallPart): ToolRunOptions['context'] {
    const { turn, control, inbox, events } = this.#parts
    const { callId } = call
    return {
      turn: { ...turn.turn, signal: control.signal },
      callId,
      media: turn.media,
      attention: inbox.attention,
      progress: (update) => {
        if (!control.signal.aborted) events.push({ type: 'tool-progress', callId, update: toResult(update) })
      },
    }
  }

  async #resultOf(call: CallPart, tool: AnyTool, end: ToolEnd): Promise<ToolResult & Pick<ToolMessage, 'status'>> {
    if (end.status === 'interrupted') {
      return { status: 'interrupted', parts: [{ type: 'text', text: `Interrupted: ${end.why}. It may have had effects.` }] }
    }
    const limits = { media: this.#parts.turn.media, maxChars: tool.maxResultChars, name: `${call.name}.txt` }
    return { status: end.status, ...(await limitResult(end.result, limits)) }
  }

  async #settle(call: CallPart, result: ToolResult & Pick<ToolMessage, 'status' | 'durationMs'>): Promise<ToolMessage> {
    const { ledger, control } = this.#parts
    const { status, parts, endsTurn, durationMs } = result
    const message = ledger.stamp({
      role: 'tool',
      callId: call.callId,
      name: call.name,
      status,
      parts,
      endsTurn,
      durationMs,
    } satisfies New<ToolMessage>)
    if (!control.isCut) await ledger.commit({ facts: [{ kind: 'message', message }], events: [{ type: 'tool-end', message }] })
    return message
  }

  /** What a caller gets whose call the host closes: not written here. */
  #closed(call: CallPart): ToolMessage {
    return this.#parts.ledger.stamp(closingResult(call, this.#started.has(call.callId) ? 'interrupted' : 'skipped'))
  }

  #unwritten(request: { readonly callId: CallId; readonly name: string }, result: ToolResult): ToolMessage {
    return this.#parts.ledger.stamp({ role: 'tool', callId: request.callId, name: request.name, status: 'error', parts: result.parts })
  }
}
