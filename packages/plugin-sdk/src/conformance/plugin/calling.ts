/** How soon something ends that was told to, milliseconds. */
export const stopMs = 1_000

/** Begins well, and aborts in the middle. */
export function stopping(): AbortSignal {
  return AbortSignal.timeout(20)
}
