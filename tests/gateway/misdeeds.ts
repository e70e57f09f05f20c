import { EventEmitter } from 'node:events'

/** What code of a plugin may do where it is called, and what is known of it then. */
export interface Misdeed {
  readonly does: string
  run(): unknown
  /**
   * `failure`: it fails, wherever it is called. `wrong`: it answers with what nobody can use, which fails where an answer is asked for. `nothing`: it
   * answers with nothing.
   */
  readonly kind: 'failure' | 'wrong' | 'nothing'
  /** What the health says of a failure. */
  readonly reason: RegExp
}

/** Where a wrong answer is a failure, the health says so in the words of the place. */
const wrongAnswer = /something else than the hook asks for|neither a text nor|answered with (?:symbol|object)/

/** Everything of that kind. What is done when nobody waits any more is for a process of its own. */
export const misdeeds: readonly Misdeed[] = [
  { does: 'throw', run: () => raise(new Error('broken')), kind: 'failure', reason: /^broken$/ },
  { does: 'throw null', run: () => raise(null), kind: 'failure', reason: /null/ },
  { does: 'throw what cannot be read', run: () => raise(unreadable()), kind: 'failure', reason: /cannot be read/ },
  { does: 'emit error', run: () => new EventEmitter().emit('error', new Error('emitted')), kind: 'failure', reason: /^emitted$/ },
  { does: 'reject late', run: () => new Promise((_, reject) => setImmediate(reject, new Error('too late'))), kind: 'failure', reason: /^too late$/ },
  { does: 'answer with a promise that settles twice', run: () => settlingTwice('undefined first'), kind: 'nothing', reason: wrongAnswer },
  { does: 'answer with a promise that fails twice', run: () => settlingTwice('failure first'), kind: 'failure', reason: /^first failure$/ },
  { does: 'answer with what cannot be asked for a promise', run: askedInVain, kind: 'failure', reason: /^look away$/ },
  { does: 'answer with a wrong type', run: () => Symbol('nonsense'), kind: 'wrong', reason: wrongAnswer },
  { does: 'answer with a wrong shape', run: () => ({ action: 'explode', context: 5 }), kind: 'wrong', reason: wrongAnswer },
  { does: 'never answer', run: () => new Promise(() => {}), kind: 'failure', reason: /did not end within \d+ ms/ },
]

function raise(error: unknown): never {
  throw error
}

/** Every look at it throws. */
function unreadable(): object {
  return new Proxy({}, { get: () => raise(new Error('look away')), getPrototypeOf: () => raise(new Error('look away')) })
}

/** Whoever asks whether it is a promise is thrown at. */
function askedInVain(): object {
  // oxlint-disable-next-line unicorn/no-thenable -- that is what it is about
  return Object.defineProperty({}, 'then', { get: () => raise(new Error('look away')) })
}

/** No promise, but something that says to be one. */
function settlingTwice(order: 'undefined first' | 'failure first'): PromiseLike<unknown> {
  const then = (resolve: (value: unknown) => void, reject: (error: unknown) => void): never => {
    if (order === 'undefined first') resolve(undefined)
    reject(new Error('first failure'))
    resolve({ action: 'block', message: 'twice' })
    reject(new Error('second failure'))
    throw new Error('third failure')
  }
  // oxlint-disable-next-line unicorn/no-thenable -- that is what it is about
  return { then } as unknown as PromiseLike<unknown>
}
