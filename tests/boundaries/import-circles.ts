/** What is imported by what. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>

/** Makes a graph of single imports. An import of oneself is none. */
export function toGraph(edges: Iterable<readonly [from: string, to: string]>): ImportGraph {
  const graph = new Map<string, Set<string>>()
  for (const [from, to] of edges) {
    if (from === to) continue
    const targets = graph.get(from) ?? new Set<string>()
    graph.set(from, targets.add(to))
  }
  return graph
}

/** One circle for every import that closes one, as `a → b → a`. */
export function findCircles(graph: ImportGraph): readonly string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const walk: string[] = []
  const visit = (node: string) => {
    if (walk.includes(node)) circles.push([...walk.slice(walk.indexOf(node)), node].join(' → '))
    if (walk.includes(node) || done.has(node)) return
    walk.push(node)
    for (const next of graph.get(node) ?? []) visit(next)
    walk.pop()
    done.add(node)
  }
  for (const node of graph.keys()) visit(node)
  return circles
}
