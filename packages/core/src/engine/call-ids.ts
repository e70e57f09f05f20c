import type { AssistantMessage, CallId } from '@hermes/plugin-sdk'

/** An answer whose calls have ids of their own, and what each id that it came with stands for now, in order. */
export interface IdentifiedAnswer<M> {
  readonly answer: M
  readonly ids: ReadonlyMap<string, readonly CallId[]>
}

/** Call ids are unique in a conversation; some providers count from 0 in every answer. One that is taken gets a suffix: `0-2`. */
export function withOwnIds<M extends Pick<AssistantMessage, 'parts'>>(answer: M, isTaken: (id: string) => boolean): IdentifiedAnswer<M> {
  const ids = new Map<string, CallId[]>()
  const own = new Set<string>()
  const parts = answer.parts.map((part) => {
    if (part.type !== 'tool-call') return part
    const callId = freeId(part.callId, (id) => own.has(id) || isTaken(id))
    own.add(callId)
    ids.set(part.callId, [...(ids.get(part.callId) ?? []), callId])
    return { ...part, callId }
  })
  return { answer: { ...answer, parts }, ids }
}

function freeId(wanted: CallId, isTaken: (id: string) => boolean): CallId {
  let id: string = wanted
  for (let count = 2; isTaken(id); count++) id = `${wanted}-${count}`
  return id as CallId
}
