import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BotSettings } from './bot-process.js'

const program = fileURLToPath(new URL('../dist/faults/bot-process.js', import.meta.url))

/** A bot in a process of its own. */
export class BotRunner {
  readonly #child: ChildProcess
  #output = ''

  constructor(settings: BotSettings) {
    this.#child = spawn(process.execPath, [program, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (data: Buffer) => (this.#output += data.toString()))
  }

  /** What it has written so far. */
  get output(): string {
    return this.#output
  }

  /** Waits until it has ended; says by which signal, if by one. */
  async ended(): Promise<NodeJS.Signals | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit')
    return this.#child.signalCode
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill(signal)
    await this.ended()
  }
}
