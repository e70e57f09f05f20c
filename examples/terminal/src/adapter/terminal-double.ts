import { PassThrough, Writable } from 'node:stream'
import type { Adapter, ChatAddress, HostApi } from '@hermes/plugin-sdk'
import type { AdapterUnderTest, DoubledOperation, FaultKind, PlatformDouble, Saying, ShownText } from '@hermes/plugin-sdk/conformance'
import { localChat, terminal } from './index.js'

/** A terminal with a person at it, for the suite of adapters. */
export async function startTerminal(): Promise<AdapterUnderTest> {
  const double = new TerminalDouble()
  let create: (() => Adapter) | undefined
  const host: Pick<HostApi, 'registerPlatform'> = {
    registerPlatform(platform) {
      create = () => platform.create()
      return { dispose() {}, [Symbol.dispose]() {} }
    },
  }
  await terminal({ input: double.input, output: double.output }).register(host as HostApi)
  return { double, secrets: [], create: create as () => Adapter }
}

class TerminalDouble implements PlatformDouble {
  readonly chats = { dm: localChat }
  readonly input = new PassThrough()
  readonly output: Writable
  #screen = ''
  #hangs = false
  #typed = 0

  constructor() {
    this.output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (this.#hangs) return
        this.#screen += chunk.toString()
        done()
      },
    })
  }

  say(_chat: ChatAddress, text: string, more: Saying = {}): string {
    if (Object.keys(more).length > 0) throw new Error('one person types plain lines, and nothing else')
    this.input.write(`${text}\n`)
    return String(++this.#typed)
  }

  shown(): readonly ShownText[] {
    const [, ...texts] = this.#screen.split('hermes › ')
    return texts.map((text, index) => ({ id: String(index), text: text.replace(/\n$/, '') }))
  }

  fault(operation: DoubledOperation, kind: FaultKind): void {
    if (operation !== 'send' || kind !== 'hang') throw new Error(`a terminal has no ${kind} at ${operation}`)
    this.#hangs = true
  }

  cut(): void {
    this.input.destroy(new Error('EIO'))
  }

  freeze(): void {}

  stop(): Promise<void> {
    this.input.destroy()
    this.output.destroy()
    return Promise.resolve()
  }
}
