import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BotSettings, BotUsage } from './bots/bot-link.js'

/** A bot of a bench in a process of its own. What it logs is dropped; its errors are shown. */
export class BotProcess {
  readonly #child: ChildProcess

  /** `program` is the name of a file in `bots`. */
  constructor(program: string, settings: BotSettings) {
    const file = fileURLToPath(new URL(`./bots/${program}.js`, import.meta.url))
    this.#child = fork(file, [JSON.stringify(settings)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  }

  /** Rejects when the bot has ended. */
  async usage(): Promise<BotUsage> {
    this.#child.send('usage')
    const [usage] = (await once(this.#child, 'message', { signal: AbortSignal.timeout(10_000) })) as [BotUsage]
    return usage
  }

  /** Asks the bot to stop, and kills it when that takes longer than 10 s. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(late)
  }
}
