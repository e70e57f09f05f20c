import type { DispatchDirective, Hooks, InboundEvent, JsonObject, ToolDirective } from '@hermes/plugin-sdk'
import type { HookFold } from './hook-call.js'

/** What is to become of an event; `event` is the one that goes on. `owner` names whose tap said so. */
export type DispatchVerdict =
  | { readonly action: 'pass'; readonly event: InboundEvent }
  | { readonly action: 'skip'; readonly reason: string; readonly owner: string }

/** What is to become of a tool call; `input` is the one that runs. `owner` names whose tap said so. */
export type ToolVerdict =
  | { readonly action: 'run'; readonly input: JsonObject }
  | {
      readonly action: 'ask'
      readonly input: JsonObject
      readonly owner: string
      readonly message?: string | undefined
    }
  | { readonly action: 'block'; readonly message: string; readonly owner: string }

/** The answers of all taps as one, and what they came to. */
export interface VerdictFold<Payload extends object, Verdict> extends HookFold<Payload> {
  verdict(): Verdict
}

/** The first answer decides. */
export function foldDispatch(payload: Hooks['preDispatch']['payload']): VerdictFold<Hooks['preDispatch']['payload'], DispatchVerdict> {
  let verdict: DispatchVerdict | undefined
  const { event } = payload
  return {
    payload,
    accept(answer, owner) {
      const directive = answer as DispatchDirective
      if (verdict) return
      if (directive.action === 'skip') verdict = { action: 'skip', reason: directive.reason, owner }
      else if (directive.action === 'rewrite' && event.kind === 'message') verdict = { action: 'pass', event: { ...event, text: directive.text } }
      else verdict = { action: 'pass', event }
    },
    verdict: () => verdict ?? { action: 'pass', event },
  }
}

/** A block wins over an approval, the first of each; changes of the input add up. A tap that fails blocks. */
export function foldToolCall(payload: Hooks['preToolCall']['payload']): VerdictFold<Hooks['preToolCall']['payload'], ToolVerdict> {
  let block: Extract<ToolVerdict, { action: 'block' }> | undefined
  let approval: { readonly owner: string; readonly directive: Extract<ToolDirective, { action: 'approve' }> } | undefined
  const fold = {
    payload,
    accept(answer: unknown, owner: string): void {
      const directive = answer as ToolDirective
      if (directive.action === 'block') block ??= { action: 'block', message: directive.message, owner }
      else if (directive.action === 'approve') approval ??= { owner, directive }
      else fold.payload = Object.freeze({ ...fold.payload, input: { ...fold.payload.input, ...directive.input } })
    },
    fail(owner: string, why: string): void {
      block ??= { action: 'block', message: `The hook preToolCall of ${owner} could not decide (${why}); the call was not made.`, owner }
    },
    verdict(): ToolVerdict {
      if (block) return block
      const { input } = fold.payload
      if (!approval) return { action: 'run', input }
      return { action: 'ask', input, owner: approval.owner, message: approval.directive.message }
    },
  }
  return fold
}

/** All contexts, in order. */
export function foldTurnStart(payload: Hooks['turnStart']['payload']): VerdictFold<Hooks['turnStart']['payload'], string | undefined> {
  const contexts: string[] = []
  return {
    payload,
    accept(answer) {
      const { context } = answer as Hooks['turnStart']['result']
      if (context.trim() !== '') contexts.push(context)
    },
    verdict: () => (contexts.length === 0 ? undefined : contexts.join('\n\n')),
  }
}

/** The first answer that counts. */
export function foldFirst<Payload extends object, Answer>(
  payload: Payload,
  counts: (answer: Answer) => boolean = () => true,
): VerdictFold<Payload, Answer | undefined> {
  let first: Answer | undefined
  return {
    payload,
    accept(answer) {
      if (first === undefined && counts(answer as Answer)) first = answer as Answer
    },
    verdict: () => first,
  }
}
