import type { Api } from 'grammy'

type GrammySignal = NonNullable<Parameters<Api['getMe']>[0]>

/** grammY declares the signal of a polyfill; the built-in one works as well. */
export function toGrammySignal(signal: AbortSignal): GrammySignal {
  return signal as unknown as GrammySignal
}
