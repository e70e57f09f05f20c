import type { Definition, Link, List, Nodes, Parents, PhrasingContent, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { EntityWriter, type FormattedText } from './entity-writer.js'
import { layOutTable, plainTextOf } from './format-table.js'
import { replaceLoneSurrogates } from './json-reading.js'

const parsing = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/**
 * Renders CommonMark with GFM as text and entities. What Telegram cannot show stays readable: headings become bold, tables
 * monospaced, HTML stays text. An `@name` stays text as well: Telegram pings by it, and there is no way to forbid that in a send.
 */
export function renderMarkdown(markdown: string): FormattedText {
  const source = replaceLoneSurrogates(markdown)
  try {
    const root = fromMarkdown(source, parsing)
    return new MarkdownRenderer(root).render()
  } catch (error) {
    // Thousands of quotes in each other exhaust the stack of the parser; such a text is shown as it was written.
    if (error instanceof RangeError) return { text: source, entities: [] }
    throw error
  }
}

class MarkdownRenderer {
  readonly #writer = new EntityWriter()
  readonly #definitions = new Map<string, Definition>()
  readonly #root: Root

  constructor(root: Root) {
    this.#root = root
    this.#collectDefinitions(root)
  }

  render(): FormattedText {
    this.#blocks(this.#root.children, '\n\n')
    return this.#writer.finish()
  }

  #collectDefinitions(parent: Parents): void {
    for (const child of parent.children) {
      if (child.type === 'definition') {
        if (!this.#definitions.has(child.identifier)) this.#definitions.set(child.identifier, child)
      } else if ('children' in child) this.#collectDefinitions(child)
    }
  }

  #blocks(nodes: readonly RootContent[], gap: string): void {
    const shown = nodes.filter((node) => node.type !== 'definition')
    for (const [index, node] of shown.entries()) {
      if (index > 0) this.#writer.write(gap)
      this.#node(node)
    }
  }

  #inline(nodes: readonly PhrasingContent[]): void {
    for (const node of nodes) this.#node(node)
  }

  #node(node: Nodes): void {
    const writer = this.#writer
    switch (node.type) {
      case 'paragraph':
        return this.#inline(node.children)
      case 'heading':
        return writer.span({ type: 'bold' }, () => this.#inline(node.children))
      case 'strong':
        return writer.span({ type: 'bold' }, () => this.#inline(node.children))
      case 'emphasis':
        return writer.span({ type: 'italic' }, () => this.#inline(node.children))
      case 'delete':
        return writer.span({ type: 'strikethrough' }, () => this.#inline(node.children))
      case 'blockquote':
        return writer.span({ type: 'blockquote' }, () => this.#blocks(node.children, '\n\n'))
      case 'inlineCode':
        return writer.code({ type: 'code' }, node.value)
      case 'code':
        return writer.code(toPre(node.lang), node.value)
      case 'table':
        return writer.code({ type: 'pre' }, layOutTable(node))
      case 'list':
        return this.#list(node)
      case 'thematicBreak':
        return writer.write('———')
      case 'break':
        return writer.write('\n')
      case 'text':
      case 'html':
        return writer.write(node.value)
      default:
        return this.#reference(node)
    }
  }

  #reference(node: Nodes): void {
    switch (node.type) {
      case 'link':
        return this.#link(node.url, node.children)
      case 'linkReference':
        return this.#link(this.#definitions.get(node.identifier)?.url ?? '', node.children)
      case 'image':
        return this.#link(node.url, toText(node.alt || node.url))
      case 'imageReference':
        return this.#link(this.#definitions.get(node.identifier)?.url ?? '', toText(node.alt || node.identifier))
      case 'footnoteReference':
        return this.#writer.write(`[${node.identifier}]`)
      case 'footnoteDefinition':
        this.#writer.write(`[${node.identifier}] `)
        return this.#blocks(node.children, '\n\n')
      default:
        return this.#writer.write(plainTextOf(node))
    }
  }

  #link(url: string, children: Link['children']): void {
    const label = children.map(plainTextOf).join('')
    if (label === url || `mailto:${label}` === url || url === '') return this.#inline(children)
    if (isWebUrl(url)) return this.#writer.span({ type: 'text_link', url }, () => this.#inline(children))
    this.#inline(children)
    this.#writer.write(` (${url})`)
  }

  #list(list: List): void {
    const gap = list.spread ? '\n\n' : '\n'
    for (const [index, item] of list.children.entries()) {
      if (index > 0) this.#writer.write(gap)
      const bullet = list.ordered ? `${(list.start ?? 1) + index}. ` : '• '
      const check = typeof item.checked === 'boolean' ? (item.checked ? '☑ ' : '☐ ') : ''
      const mark = check && !list.ordered ? check : bullet + check
      this.#writer.write(mark)
      this.#writer.indented(mark.length, () => this.#blocks(item.children, item.spread ? '\n\n' : '\n'))
    }
  }
}

/** Other schemes are shown, not linked: a `tg:` link to a person would ping that person. */
function isWebUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

function toPre(language: string | null | undefined): { type: 'pre'; language?: string } {
  return language && /^[\w+#.-]{1,32}$/.test(language) ? { type: 'pre', language } : { type: 'pre' }
}

function toText(value: string): Link['children'] {
  return [{ type: 'text', value }]
}
