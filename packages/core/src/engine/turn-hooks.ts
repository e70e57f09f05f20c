import type { Awaitable, HookName, Hooks } from '@hermes/plugin-sdk'
import type { ToolVerdict } from '../hooks/index.js'

type Payload<N extends HookName> = Hooks[N]['payload']

/**
 * What a turn asks plugins, and tells them. Nothing here throws or rejects, and what is asked is answered within a limit. A turn makes no
 * payload that nobody would see: it looks at `isTapped` first.
 */
export interface TurnHooks {
  isTapped(name: HookName): boolean
  /** What stands behind this turn's user message. */
  turnStart(payload: Payload<'turnStart'>): Awaitable<string | undefined>
  preToolCall(payload: Payload<'preToolCall'>): Awaitable<ToolVerdict>
  /** The text that takes the place of texts and JSON of the result. */
  transformToolResult(payload: Payload<'transformToolResult'>): Awaitable<string | undefined>
  /** The answer in place of this one. */
  transformAnswer(payload: Payload<'transformAnswer'>): Awaitable<string | undefined>

  postToolCall(payload: Payload<'postToolCall'>): void
  streamDelta(payload: Payload<'streamDelta'>): void
  preModelCall(payload: Payload<'preModelCall'>): void
  postModelCall(payload: Payload<'postModelCall'>): void
  modelError(payload: Payload<'modelError'>): void
}

/** For turns without plugins. */
export const noHooks: TurnHooks = {
  isTapped: () => false,
  turnStart: () => undefined,
  preToolCall: ({ input }) => ({ action: 'run', input }),
  transformToolResult: () => undefined,
  transformAnswer: () => undefined,
  postToolCall() {},
  streamDelta() {},
  preModelCall() {},
  postModelCall() {},
  modelError() {},
}
