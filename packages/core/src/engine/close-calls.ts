import type { CallPart, New, ToolMessage } from '@hermes/plugin-sdk'

/** How a call ended that has no result of its own. */
export type ClosingStatus = 'skipped' | 'interrupted' | 'unknown'

const wording: { readonly [S in ClosingStatus]: string } = {
  skipped: 'Not run: the turn ended before this call began.',
  interrupted: 'Interrupted: this call had begun when it was told to stop. It may have had effects.',
  unknown: 'Unknown: this call had begun when the process died. It may have had effects. Check before you repeat it.',
}

/** The result of a call that has none of its own. Its wording tells the model the truth: not run, ran, or not known. */
export function closingResult(call: Pick<CallPart, 'callId' | 'name'>, status: ClosingStatus): New<ToolMessage> {
  return { role: 'tool', callId: call.callId, name: call.name, status, parts: [{ type: 'text', text: wording[status] }] }
}
