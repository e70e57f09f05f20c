import type { Nodes, Table } from 'mdast'

/** The text inside a node, without its formatting. */
export function plainTextOf(node: Nodes): string {
  if ('value' in node) return node.value
  if ('alt' in node) return node.alt ?? ''
  return 'children' in node ? node.children.map(plainTextOf).join('') : ''
}

/** A table as monospaced lines: cells padded to the width of their column, a rule below the head. */
export function layOutTable(table: Table): string {
  const rows = table.children.map((row) => row.children.map((cell) => plainTextOf(cell).replace(/\s+/g, ' ')))
  const columns = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    widths
      .map((width, column) => (row[column] ?? '').padEnd(width))
      .join(' | ')
      .trimEnd(),
  )
  const rule = widths.map((width) => '-'.repeat(Math.max(1, width))).join('-+-')
  return [...lines.slice(0, 1), rule, ...lines.slice(1)].join('\n')
}
