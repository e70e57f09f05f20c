import { AsyncLocalStorage } from 'node:async_hooks'

/** Whose code runs. */
export interface Culprit {
  /** Something broke that this code started, and nobody waited for it any more. `false`: that is no business of ours. Must not throw. */
  failedLate(error: unknown): boolean
}

/** Whose code runs just now, and for whom everything runs that it started: timers, sockets, promises. */
const running = new AsyncLocalStorage<Culprit | undefined>()

/** Whose code runs where some take turns, until the first does: a context that is no other is not made anew, and could not be left. */
const nobody: Culprit = { failedLate: () => false }

/** The process has one set of handlers, so all gateways in it share them: they are there while somebody watches. */
const watching = new Set<LateFailureWatch>()
/** Those who call foreign code. To follow it costs every promise of the process a little before Node 24, so nothing is followed without them. */
const following = new Set<LateFailureWatch>()

/** Calls foreign code. Its late failures are told to the culprit, while somebody watches. */
export function runFor<A extends readonly unknown[], R>(culprit: Culprit, call: (...args: A) => R, ...args: A): R {
  return running.run(culprit, call, ...args)
}

/**
 * From here to the end of `callInTurn` foreign code runs: cheaper than `runFor` where many are called one after another, as a context costs
 * much more than such a call where contexts are frames (Node 24). Nowhere else: it would stay.
 */
export function takeTurn(culprit: Culprit): void {
  running.enterWith(culprit)
}

/** Calls what lets foreign code of many take turns. */
export function callInTurn<R>(call: () => R): R {
  return running.run(nobody, call)
}

/** Calls our own code where foreign code runs: what it starts is ours. A promise for the caller is made outside of it: he may forget to handle it. */
export function runAsOurs<R>(call: () => R): R {
  return running.getStore() === undefined ? call() : running.run(undefined, call)
}

/**
 * Watches over what foreign code of one gateway breaks when nobody waits for it any more: a rejection that is not handled, a throw out
 * of a timer, an `error` that nobody listens for. Such a failure is told to its culprit, and the process goes on. Whatever else is not caught ends
 * the process as ever, and handlers of the application hear of all of it as ever.
 *
 * Beyond it, before Node 24: what `queueMicrotask` throws, which has lost by then whose it is.
 */
export class LateFailureWatch {
  #following = 0

  get isOpen(): boolean {
    return watching.has(this)
  }

  open(): void {
    watching.add(this)
    if (watching.size === 1) attach()
  }

  close(): void {
    this.#following = 0
    this.#follow()
    if (watching.delete(this) && watching.size === 0) detach()
  }

  /** Foreign code is going to be called. Disposed, it never was; else it is followed until the watch is closed. */
  follow(): Disposable {
    this.#following++
    this.#follow()
    let isFollowed = true
    return {
      [Symbol.dispose]: () => {
        if (isFollowed && this.#following > 0) this.#following--
        isFollowed = false
        this.#follow()
      },
    }
  }

  #follow(): void {
    if (this.#following > 0) following.add(this)
    else following.delete(this)
    if (following.size === 0) running.disable()
  }
}

function attach(): void {
  process.on('uncaughtExceptionMonitor', onUncaught)
  process.on('newListener', onListenerAdded)
  process.on('removeListener', onListenerRemoved)
  if (process.listenerCount('unhandledRejection') > 0) process.on('unhandledRejection', tell)
}

function detach(): void {
  process.off('newListener', onListenerAdded)
  process.off('removeListener', onListenerRemoved)
  process.off('uncaughtExceptionMonitor', onUncaught)
  process.off('unhandledRejection', tell)
  process.off('uncaughtException', survive)
}

/** Comes before it is decided whether the process ends. A rejection that nobody handles comes here, too, unless the application hears it itself. */
function onUncaught(error: unknown): void {
  process.off('uncaughtException', survive)
  if (tell(error) && !process.hasUncaughtExceptionCaptureCallback()) process.once('uncaughtException', survive)
}

/** An exception that somebody listens for does not end the process. */
function survive(): void {}

function tell(error: unknown): boolean {
  try {
    const culprit = running.getStore()
    return culprit !== undefined && running.run(undefined, () => culprit.failedLate(unwrap(error)))
  } catch {
    return false
  }
}

/** Node tells of a rejection without an error in a sentence that is longer than what a health shows; what it was stands at its end. */
function unwrap(error: unknown): unknown {
  try {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_UNHANDLED_REJECTION') return error
    return new Error(`Something that is no error was rejected: ${/reason "(.*)"\.$/s.exec(error.message)?.[1]}`)
  } catch {
    return error
  }
}

/** With a listener for rejections, those of nobody would not end the process any more: ours is there only beside one of the application. */
function onListenerAdded(event: string | symbol, listener: unknown): void {
  if (event !== 'unhandledRejection' || listener === tell || process.listeners('unhandledRejection').includes(tell)) return
  process.on('unhandledRejection', tell)
}

function onListenerRemoved(event: string | symbol): void {
  if (event !== 'unhandledRejection') return
  if (process.listeners('unhandledRejection').every((listener) => listener === tell)) process.off('unhandledRejection', tell)
}
