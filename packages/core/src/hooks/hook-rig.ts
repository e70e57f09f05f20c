import type { CallId, Clock, HookName, HookOptions, Hooks, HookTap, Registration, TurnId, TurnRef } from '@hermes/plugin-sdk'
import { createRedactor } from '../kernel/index.js'
import { createHookBus } from './hook-bus.js'
import type { HookHealth } from './hook-health.js'
import type { HostServices } from './plugin-scope.js'

/** A bus for a test, which gives it the time and reads its log. */
export function openBus({ clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number | undefined }) {
  const lines: { level: string; fields: Record<string, unknown>; message: string }[] = []
  const log = (level: string) => (fields: object, message: string) => void lines.push({ level, fields: { ...fields }, message })
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const redactor = createRedactor()
  const bus = createHookBus({ clock, logger, redact: redactor.redact, timeoutMs })
  return {
    bus,
    lines,
    redactor,
    on: <N extends HookName>(owner: string, name: N, ...[tap, options]: [tap: HookTap<N>, options?: HookOptions]): Registration =>
      bus.on(owner, name, { tap, options }),
    healthOf: (owner: string, hook: HookName): HookHealth | undefined =>
      bus
        .health()
        .get(owner)
        ?.find((health) => health.hook === hook),
  }
}

/** For plugins that ask nothing of the house. */
export const noServices = (): HostServices => ({}) as HostServices

export const slackChat = { platform: 'slack', kind: 'dm', chatId: '1', adapter: 'slack' } as const

/** A turn that runs until its controller says otherwise. */
export function turnOf(id: string, end = new AbortController()): TurnRef {
  return { id: id as TurnId, lane: 'lane', epoch: 1, chat: slackChat, signal: end.signal }
}

/** A call of the tool `look`. */
export function toolCall(callId = 'call', turn: TurnRef = turnOf('turn')): Hooks['preToolCall']['payload'] {
  return { turn, callId: callId as CallId, name: 'look', input: { x: 1 } }
}

/** The same call, over. */
export function finishedCall(callId?: string): Hooks['postToolCall']['payload'] {
  return { ...toolCall(callId), status: 'ok', parts: [], durationMs: 1 }
}
