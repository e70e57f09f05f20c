import type { MessageEntity } from 'grammy/types'

/** Text with its formatting beside it, as the Bot API takes it; offsets and lengths in UTF-16 units. */
export interface FormattedText {
  readonly text: string
  readonly entities: readonly MessageEntity[]
}

/** Formatting that may enclose other formatting. */
export type SpanFormat = { readonly type: 'bold' | 'italic' | 'strikethrough' | 'blockquote' } | { readonly type: 'text_link'; readonly url: string }

/** Formatting that stands alone. */
export type CodeFormat = { readonly type: 'code' } | { readonly type: 'pre'; readonly language?: string }

interface OpenSpan {
  readonly format: SpanFormat
  start: number
}

/** Writes text from left to right and notes where each formatting begins and ends. */
export class EntityWriter {
  readonly #parts: string[] = []
  readonly #entities: MessageEntity[] = []
  readonly #open: OpenSpan[] = []
  #length = 0
  #indent = ''
  #isLineStart = true

  write(text: string): void {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) this.#endLine()
      if (line === '') continue
      this.#beginLine()
      this.#append(line)
    }
  }

  /** Formats what `body` writes. What is open already is not opened again: bold in bold is bold. */
  span(format: SpanFormat, body: () => void): void {
    if (this.isInside(format.type)) return body()
    this.#beginLine()
    const span = { format, start: this.#length }
    this.#open.push(span)
    body()
    this.#open.pop()
    this.#close(span)
  }

  /**
   * Code may lie in a quote, but in no other formatting: that ends before the code and begins again behind it. A link keeps its
   * text whole and drops the code.
   */
  code(format: CodeFormat, text: string): void {
    if (this.isInside('text_link')) return this.write(text)
    const split = this.#open.filter(({ format: { type } }) => type !== 'blockquote')
    for (const span of split) this.#close(span)
    if (format.type === 'code') this.#beginLine()
    else this.#beginBlock()
    const start = this.#length
    this.#append(text)
    this.#add(format, start)
    for (const span of split) span.start = this.#length
  }

  /** Every line that `body` begins is moved to the right. */
  indented(width: number, body: () => void): void {
    const outer = this.#indent
    this.#indent = outer + ' '.repeat(width)
    body()
    this.#indent = outer
  }

  isInside(type: SpanFormat['type']): boolean {
    return this.#open.some((span) => span.format.type === type)
  }

  /** What was written, in the order that Telegram wants: by start, the longer first. */
  finish(): FormattedText {
    const entities = this.#entities.toSorted((left, right) => left.offset - right.offset || right.length - left.length)
    return { text: this.#parts.join(''), entities }
  }

  #endLine(): void {
    this.#append('\n')
    this.#isLineStart = true
  }

  #beginLine(): void {
    if (this.#isLineStart) this.#append(this.#indent)
    this.#isLineStart = false
  }

  /** A block of code inside a list has lines of its own, none of them moved. */
  #beginBlock(): void {
    if (!this.#isLineStart && this.#indent !== '') this.#append('\n')
    this.#isLineStart = false
  }

  #append(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }

  #close(span: OpenSpan): void {
    this.#add(span.format, span.start)
  }

  #add(format: SpanFormat | CodeFormat, offset: number): void {
    if (this.#length > offset) this.#entities.push({ ...format, offset, length: this.#length - offset })
  }
}
