import type { AdapterFailure } from './adapter.js'
import type { Grant } from './grants.js'

/** What each code of a `HermesError` tells. Open: a package adds its own codes by augmentation. */
export interface HermesErrorDetails {
  'options.invalid': { readonly issues: readonly OptionIssue[] }
  'value.invalid': { readonly where: string; readonly issues: readonly string[] }
  'plugin.invalid': { readonly pluginId: string; readonly member: string }
  'plugin.failed': { readonly pluginId: string; readonly where: string }
  'grant.missing': { readonly pluginId: string; readonly grant: Grant }
  'name.taken': { readonly kind: 'tool' | 'command' | 'platform' | 'plugin'; readonly name: string; readonly owner: string }
  'adapter.failed': AdapterFailure
  'adapter.not-wired': { readonly adapter: string }
  /** `why` may be read by people. */
  'attachment.failed': { readonly why: string }
  'inbox.unavailable': { readonly retryAfterMs: number }
  'turn.closed': { readonly lane: string; readonly epoch: number }
  /** `no-session`: nobody has spoken under this key; `full`: as many wait or run as may; `aborted`: it was, before it was stored. */
  'run.refused': { readonly reason: 'no-session' | 'full' | 'aborted' }
  stopped: { readonly what: string }
}
export type HermesErrorCode = keyof HermesErrorDetails

/** One option that does not fit. */
export interface OptionIssue {
  /** Dotted, from the root of the options: `polling.timeoutSeconds`. */
  readonly path: string
  readonly message: string
  readonly didYouMean?: string | undefined
}

const mark = Symbol.for('@hermes/error')

/**
 * The one error family of hermes: what went wrong as a code, and what belongs to it as data.
 * It is recognised by a symbol, so that two copies of this package understand each other.
 */
export class HermesError<C extends HermesErrorCode = HermesErrorCode> extends Error {
  readonly code: C
  readonly detail: HermesErrorDetails[C]

  // oxlint-disable-next-line eslint/max-params -- what every Error takes comes last, as in the language
  constructor(code: C, message: string, detail: HermesErrorDetails[C], options?: ErrorOptions) {
    super(message, options)
    this.name = 'HermesError'
    this.code = code
    this.detail = detail
    Object.defineProperty(this, mark, { value: true })
  }

  /** Is it one of ours, and (with `code`) this one? Works across copies of the package. */
  static is<C extends HermesErrorCode>(error: unknown, code?: C): error is HermesError<C> {
    return typeof error === 'object' && error !== null && mark in error && (code === undefined || (error as { code?: unknown }).code === code)
  }
}

/** What an adapter throws inside `connect`. Anything else that it throws counts as retryable. */
export function adapterError(failure: AdapterFailure): HermesError<'adapter.failed'> {
  return new HermesError('adapter.failed', failure.message, failure, 'cause' in failure ? { cause: failure.cause } : {})
}
