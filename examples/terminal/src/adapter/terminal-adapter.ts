import { randomUUID } from 'node:crypto'
import { createInterface, type Interface } from 'node:readline'
import {
  HermesError,
  type Adapter,
  type AdapterContext,
  type Call,
  type ChatAddress,
  type ChatCapabilities,
  type MessageStream,
  type OutboundMessage,
  type SendOutcome,
} from '@hermes/plugin-sdk'
import type { TerminalOptions } from './terminal-options.js'
import { TerminalScreen } from './terminal-screen.js'
import { TerminalStream } from './terminal-stream.js'

/** The only chat of a terminal; its only person has the id `local`, too. */
export const localChat: ChatAddress = { platform: 'terminal', kind: 'dm', chatId: 'local' }

const capabilities: ChatCapabilities = { text: { limit: Infinity, unit: 'utf16', dialect: 'markdown' }, stream: { kind: 'message' } }

interface Typing {
  readonly lines: Interface
  readonly typed: AsyncIterable<string>
}

/** Lines in, text out. What is shown stays: answers grow at their end, nothing is edited. */
export class TerminalAdapter implements Adapter<'terminal'> {
  readonly platform = 'terminal'
  readonly #options: TerminalOptions
  readonly #screen: TerminalScreen
  #lines: Interface | undefined
  #fail: (error: Error) => void = () => {}

  constructor(options: TerminalOptions) {
    this.#options = options
    this.#screen = new TerminalScreen(options.output)
  }

  async connect(context: AdapterContext<'terminal'>): Promise<void> {
    const { input, output } = this.#options
    const lines = createInterface({ input, output, terminal: output.isTTY === true, prompt: 'you › ' })
    this.#lines = lines
    this.#fail = (error) => context.fail({ code: 'network', message: `The terminal is gone: ${error.message}`, isRetryable: false, cause: error })
    output.on('error', this.#fail)
    lines.on('SIGINT', () => lines.close())
    // It keeps what is typed while plugins are busy with the interface.
    const typed = lines[Symbol.asyncIterator]()
    await context.wireNative(lines)
    this.#screen.open(lines)
    void this.#read({ lines, typed }, context)
  }

  async disconnect(): Promise<void> {
    const lines = this.#lines
    this.#lines = undefined
    this.#screen.close()
    this.#options.output.off('error', this.#fail)
    lines?.close()
  }

  capabilities(): ChatCapabilities {
    return capabilities
  }

  send(_chat: ChatAddress, message: OutboundMessage, call: Call): Promise<SendOutcome> {
    return this.#screen.finish({}, message.text, call.signal)
  }

  stream(): MessageStream {
    return new TerminalStream(this.#screen)
  }

  /** Never rejects. The next line is read when the last one is stored: the rest waits in the pipe. */
  async #read({ lines, typed }: Typing, context: AdapterContext<'terminal'>): Promise<void> {
    try {
      for await (const line of typed) if (line.trim() !== '') await this.#receive(line, context)
      if (this.#lines === lines) this.#options.onEnd?.()
    } catch (error) {
      if (!context.signal.aborted) this.#fail(error instanceof Error ? error : new Error('cannot read', { cause: error }))
    }
  }

  /** Keeps a line until it is stored: nobody else will send it again. */
  async #receive(text: string, context: AdapterContext<'terminal'>): Promise<void> {
    const id = randomUUID()
    const author = { id: localChat.chatId, isBot: false }
    for (;;) {
      try {
        await context.receive({ kind: 'message', id, at: context.clock.now(), chat: localChat, messageId: id, author, text, mentions: 'us' })
        return
      } catch (error) {
        if (!HermesError.is(error, 'inbox.unavailable')) throw error
        await context.clock.sleep(error.detail.retryAfterMs, context.signal)
      }
    }
  }
}
