/** How long to wait after so many failed attempts in a row, the last one for ever: `min(30 · 2^(n-1), 300)` seconds. */
const reconnectLadderMs: readonly number[] = [30_000, 60_000, 120_000, 240_000, 300_000]

/** The wait after the n-th failed attempt in a row; none before the first. */
export function reconnectDelayMs(attempts: number): number {
  if (attempts === 0) return 0
  return reconnectLadderMs[Math.min(attempts, reconnectLadderMs.length) - 1] ?? 0
}
