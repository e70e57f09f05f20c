import { type Awaitable, type HookName, type HookOptions, type Hooks, type HookTap, type Registration } from '@hermes/plugin-sdk'
import { callInTurn } from '../kernel/index.js'
import type { GatewayHooks } from './gateway-hooks.js'
import { HookCall, type HookFold } from './hook-call.js'
import { foldDispatch, foldFirst, foldToolCall, foldTurnStart, type DispatchVerdict, type ToolVerdict, type VerdictFold } from './hook-folds.js'
import type { HookHealth } from './hook-health.js'
import { TapBoard, type TapBoardPorts } from './tap-board.js'
import type { TapFunction } from './isolated-tap.js'

/** Hooks whose taps only watch. */
export type WatchingHook = {
  [N in HookName]: [Hooks[N]['result'], Hooks[N]['mode']] extends [void, 'async'] ? N : never
}[HookName]

/**
 * The hooks of a gateway, as its stations call them. No call throws or rejects, whatever the taps do; it answers at once where no tap
 * goes async. Payloads are frozen at their top.
 */
export interface HookBus {
  /** The same hooks for those who know tapable. */
  readonly hooks: GatewayHooks
  /** Hangs a tap onto a hook. Throws `value.invalid` for a wrong shape or too many taps. */
  on<N extends HookName>(owner: string, name: N, tap: { readonly tap: HookTap<N>; readonly options?: HookOptions | undefined }): Registration
  /** Takes out what is left of an owner, and forgets how it did. */
  forget(owner: string): void
  /** Takes out all taps, and waits for none. */
  close(): void
  /** By owner: the id of a plugin, or `tapable:<name>`. */
  health(): ReadonlyMap<string, readonly HookHealth[]>

  preDispatch(payload: Hooks['preDispatch']['payload']): Awaitable<DispatchVerdict>
  preToolCall(payload: Hooks['preToolCall']['payload']): Awaitable<ToolVerdict>
  /** What goes behind this turn's user message. */
  turnStart(payload: Hooks['turnStart']['payload']): Awaitable<string | undefined>
  /** The text that replaces texts and JSON of the result. */
  transformToolResult(payload: Hooks['transformToolResult']['payload']): Awaitable<string | undefined>
  /** The answer in place of this one. */
  transformAnswer(payload: Hooks['transformAnswer']['payload']): Awaitable<string | undefined>
  prefersFreshFinalStreaming(payload: Hooks['prefersFreshFinalStreaming']['payload']): boolean | undefined
  streamDelta(payload: Hooks['streamDelta']['payload']): void
  /** Tells those who watch; whoever does not await it does not wait for them. */
  tell<N extends WatchingHook>(name: N, payload: Hooks[N]['payload']): Awaitable<void>
  /** Would a call find a tap? */
  isTapped(name: HookName): boolean
}

/** Makes the bus of a gateway. */
export function createHookBus(ports: TapBoardPorts): HookBus {
  return new TapableBus(ports)
}

class TapableBus implements HookBus {
  readonly #board: TapBoard
  readonly #ports: TapBoardPorts

  constructor(ports: TapBoardPorts) {
    this.#ports = ports
    this.#board = new TapBoard(ports)
  }

  get hooks(): GatewayHooks {
    return this.#board.hooks
  }

  on<N extends HookName>(owner: string, name: N, { tap, options }: { tap: HookTap<N>; options?: HookOptions | undefined }): Registration {
    return this.#board.on(owner, name, { tap: tap as unknown as TapFunction, options })
  }

  forget(owner: string): void {
    this.#board.forget(owner)
  }

  close(): void {
    this.#board.clear()
  }

  health(): ReadonlyMap<string, readonly HookHealth[]> {
    return this.#board.health()
  }

  isTapped(name: HookName): boolean {
    const { taps, interceptors } = this.#board.tapable(name)
    // The isolation is an interceptor itself.
    return taps.length > 0 || interceptors.length > 1
  }

  preDispatch(payload: Hooks['preDispatch']['payload']): Awaitable<DispatchVerdict> {
    return this.#decide('preDispatch', foldDispatch(Object.freeze(payload)))
  }

  preToolCall(payload: Hooks['preToolCall']['payload']): Awaitable<ToolVerdict> {
    return this.#decide('preToolCall', foldToolCall(Object.freeze(payload)))
  }

  turnStart(payload: Hooks['turnStart']['payload']): Awaitable<string | undefined> {
    return this.#decide('turnStart', foldTurnStart(Object.freeze(payload)))
  }

  transformToolResult(payload: Hooks['transformToolResult']['payload']): Awaitable<string | undefined> {
    return this.#decide('transformToolResult', foldFirst<object, string>(Object.freeze(payload)))
  }

  transformAnswer(payload: Hooks['transformAnswer']['payload']): Awaitable<string | undefined> {
    return this.#decide(
      'transformAnswer',
      foldFirst<object, string>(Object.freeze(payload), (text) => text !== ''),
    )
  }

  prefersFreshFinalStreaming(payload: Hooks['prefersFreshFinalStreaming']['payload']): boolean | undefined {
    const fold = foldFirst<object, boolean>(Object.freeze(payload))
    this.#callSync('prefersFreshFinalStreaming', fold)
    return fold.verdict()
  }

  streamDelta(payload: Hooks['streamDelta']['payload']): void {
    this.#callSync('streamDelta', { payload: Object.freeze(payload) })
  }

  tell<N extends WatchingHook>(name: N, payload: Hooks[N]['payload']): Awaitable<void> {
    return this.#call(name, { payload: Object.freeze(payload) })?.over()
  }

  #decide<Verdict>(name: HookName, fold: VerdictFold<object, Verdict>): Awaitable<Verdict> {
    const waiting = this.#call(name, fold)
    return waiting ? waiting.over().then(() => fold.verdict()) : fold.verdict()
  }

  /** Lets all taps run; the call, if that takes its time. */
  #call(name: HookName, fold: HookFold): HookCall | undefined {
    if (!this.isTapped(name)) return undefined
    const call = new HookCall(fold, (error) => this.#broke(name, fold, error))
    try {
      callInTurn(() => this.#board.tapable(name).callAsync(fold.payload, call, () => call.end()))
    } catch (error) {
      call.end({ error })
    }
    return call.isOver ? undefined : call
  }

  #callSync(name: 'streamDelta' | 'prefersFreshFinalStreaming', fold: HookFold): void {
    if (!this.isTapped(name)) return
    try {
      callInTurn(() => this.#board.instant(name).call(fold.payload, new HookCall(fold)))
    } catch (error) {
      this.#broke(name, fold, error)
    }
  }

  /** An interceptor ended the call: a tap cannot. */
  #broke(name: HookName, fold: HookFold, error: unknown): void {
    this.#ports.logger.warn({ hook: name, error }, 'An interceptor of a hook failed; the taps behind it were not called.')
    fold.fail?.('an interceptor', 'it threw')
  }
}
