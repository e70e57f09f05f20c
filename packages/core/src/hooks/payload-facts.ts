import type { ChatAddress, TurnRef } from '@hermes/plugin-sdk'

/** What payloads of different hooks have in common. */
interface PayloadParts {
  readonly platform?: string
  readonly chat?: ChatAddress
  readonly turn?: TurnRef
  readonly callId?: string
}

/** The platform that a payload is about; `undefined` for a turn without a chat. */
export function platformOf(payload: PayloadParts): string | undefined {
  return payload.platform ?? payload.chat?.platform ?? payload.turn?.chat?.platform
}

/** What a call is about: while a tap still works on it, the tap is not asked about the same thing again. */
export function callIdentity({ turn, callId }: PayloadParts): string | undefined {
  if (!turn) return undefined
  return callId === undefined ? turn.id : `${turn.id} ${callId}`
}

/** Aborts when nobody needs the call any more, because its turn is to end. */
export function turnSignalOf({ turn }: PayloadParts): AbortSignal | undefined {
  return turn?.signal
}
