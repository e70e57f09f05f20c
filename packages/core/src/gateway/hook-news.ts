import type { AdapterFailure, SendOutcome } from '@hermes/plugin-sdk'
import type { HookBus } from '../hooks/index.js'
import { redactError, type Redactor } from '../kernel/index.js'
import type { OutboxRecord } from '../store/index.js'

/** An adapter instance, and the platform that it serves. */
export interface AdapterIdentity {
  readonly adapter: string
  readonly platform: string
}

/** What plugins hear from the edges of the house. Nobody waits for them, and what SDKs said is told without secrets. */
export interface HookNews {
  pieceWent(row: OutboxRecord, about: { readonly outcome: SendOutcome; readonly isLast: boolean }): void
  adapterConnected(about: AdapterIdentity & { readonly isReconnect: boolean }): void
  adapterFailed(about: AdapterIdentity & { readonly failure: AdapterFailure; readonly nextAttemptAt: number | undefined }): void
}

/** Makes the bearer of news. */
export function createHookNews(hooks: Pick<HookBus, 'tell' | 'isTapped'>, { redact }: Pick<Redactor, 'redact'>): HookNews {
  const safe = (cause: unknown): unknown => (cause === undefined ? undefined : redactError(cause, redact))
  return {
    pieceWent({ chat, turn: turnId, key, piece, attempts, refusals }, { outcome, isLast }) {
      if (!hooks.isTapped('deliveryOutcome')) return
      const told = outcome.status === 'sent' ? outcome : { ...outcome, detail: redact(outcome.detail), cause: safe(outcome.cause) }
      const place = { chunk: piece.index, chunks: piece.count, attempt: attempts + refusals + 1 }
      void hooks.tell('deliveryOutcome', { chat, turnId, key, ...place, outcome: told, isLast })
    },
    adapterConnected: (about) => void hooks.tell('adapterConnected', { ...about }),
    adapterFailed({ failure, ...about }) {
      if (!hooks.isTapped('adapterFailed')) return
      const told = { ...failure, message: redact(failure.message), cause: safe(failure.cause) }
      void hooks.tell('adapterFailed', { ...about, failure: told })
    },
  }
}
