/** The name that differs least from a wrong one, if it differs in at most a third of its letters; else `undefined`. */
export function closestName(wrong: string, names: readonly string[]): string | undefined {
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const allowed = Math.max(1, Math.floor(name.length / 3))
    // The lengths alone tell most names apart, and keep a huge wrong name cheap.
    if (Math.abs(wrong.length - name.length) > allowed) continue
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase())
    if (distance <= allowed && (!best || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
