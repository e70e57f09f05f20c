import type { Definition, List, ListItem, Nodes, Parents, Root, Table } from 'mdast'

type Definitions = ReadonlyMap<string, Definition>

/** The text of a parsed Markdown block as a person reads it. */
export function plainTextOf(root: Root): string {
  const definitions = new Map(root.children.filter((node) => node.type === 'definition').map((node) => [node.identifier, node]))
  return blocksOf(root, definitions)
}

function blocksOf(parent: Parents, definitions: Definitions, between = '\n\n'): string {
  return parent.children
    .map((child) => textOf(child, definitions))
    .filter((text) => text !== '')
    .join(between)
}

function inlinesOf(parent: Parents, definitions: Definitions): string {
  return parent.children.map((child) => textOf(child, definitions)).join('')
}

function textOf(node: Nodes, definitions: Definitions): string {
  switch (node.type) {
    case 'root':
      return blocksOf(node, definitions)
    case 'blockquote':
      return prefixLines(blocksOf(node, definitions), '> ', '> ')
    case 'list':
      return listOf(node, definitions)
    case 'table':
      return tableOf(node, definitions)
    case 'footnoteDefinition':
      return prefixLines(blocksOf(node, definitions), `[${node.identifier}] `, '  ')
    case 'footnoteReference':
      return `[${node.identifier}]`
    case 'definition':
      return ''
    case 'thematicBreak':
      return '---'
    case 'break':
      return '\n'
    case 'link':
      return withUrl(inlinesOf(node, definitions), node.url)
    case 'linkReference':
      return withUrl(inlinesOf(node, definitions), definitions.get(node.identifier)?.url)
    case 'image':
      return withUrl(node.alt ?? '', node.url)
    case 'imageReference':
      return withUrl(node.alt ?? '', definitions.get(node.identifier)?.url)
    default:
      return 'children' in node ? inlinesOf(node, definitions) : node.value
  }
}

function withUrl(text: string, url: string | undefined): string {
  if (url === undefined || url === '' || isSameTarget(text, url)) return text
  return text === '' ? url : `${text} (${url})`
}

/** An autolink writes its target out already, less a scheme. */
function isSameTarget(text: string, url: string): boolean {
  return ['', 'http://', 'https://', 'mailto:'].some((scheme) => `${scheme}${text}` === url)
}

function listOf(list: List, definitions: Definitions): string {
  const first = list.start ?? 1
  const items = list.children.map((item, index) => itemOf(item, list.ordered ? `${first + index}. ` : '- ', definitions))
  return items.join(list.spread === true ? '\n\n' : '\n')
}

function itemOf(item: ListItem, bullet: string, definitions: Definitions): string {
  const box = typeof item.checked === 'boolean' ? `[${item.checked ? 'x' : ' '}] ` : ''
  const text = blocksOf(item, definitions, item.spread === true ? '\n\n' : '\n')
  return prefixLines(text, `${bullet}${box}`, ' '.repeat(bullet.length))
}

function tableOf(table: Table, definitions: Definitions): string {
  return table.children.map((row) => row.children.map((cell) => inlinesOf(cell, definitions)).join(' | ')).join('\n')
}

/** A blank line keeps no trailing blank of its prefix. */
function prefixLines(text: string, first: string, rest: string): string {
  return text
    .split('\n')
    .map((line, index) => (line === '' && index > 0 ? rest.trimEnd() : `${index === 0 ? first : rest}${line}`))
    .join('\n')
}
