import { z } from 'zod'
import type { JsonValue, Message } from '@hermes/plugin-sdk'
import type { Remedy } from './failure-rules.js'

const concessionsState = z.object({
  issuer: z.string(),
  /** The last message that was there when the model refused it. */
  without: z.partialRecord(z.enum(['replay', 'media', 'media-in-results', 'schema-patterns'] satisfies Remedy[]), z.string()),
})

/**
 * What a model refused in a conversation. Replay data and media are not sent again from messages up to the refusal, later ones are;
 * media in results and patterns in schemas are not sent any more. It is the state of the runtime, so it outlives the process.
 */
export type Concessions = z.infer<typeof concessionsState> & { readonly [member: string]: JsonValue }

/** Reads a stored state. What another model refused says nothing about this one. */
export function readConcessions(state: JsonValue | undefined, issuer: string): Concessions {
  const read = concessionsState.safeParse(state)
  return read.success && read.data.issuer === issuer ? read.data : { issuer, without: {} }
}

const forGood: ReadonlySet<Remedy> = new Set(['media-in-results', 'schema-patterns'])

/** Does without something, too; `undefined` where nothing is left to do without. */
export function concede(concessions: Concessions, remedy: Remedy, messages: readonly Message[]): Concessions | undefined {
  const last = messages.at(-1)?.id
  const before = concessions.without[remedy]
  if (last === undefined || before === last || (forGood.has(remedy) && before !== undefined)) return undefined
  return { ...concessions, without: { ...concessions.without, [remedy]: last } }
}

/** The place of the first message that something is still sent from. */
export function sentFrom(concessions: Concessions, remedy: Remedy, messages: readonly { readonly id?: string | undefined }[]): number {
  const last = concessions.without[remedy]
  return last === undefined ? 0 : messages.findIndex((message) => message.id === last) + 1
}
