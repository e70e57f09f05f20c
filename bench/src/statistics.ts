/** The value below which a share (0 to 1) of the values lies, by nearest rank. `NaN` without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** The middle value, the lower of two. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}
