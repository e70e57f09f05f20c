import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A built example as its own process, in an empty folder and an empty environment. */
export class ExampleRun implements AsyncDisposable {
  readonly #process: ChildProcess
  readonly #directory: string
  readonly #exit: Promise<number | null>
  readonly #waiters = new Set<() => void>()
  #output = ''

  private constructor(directory: string, process: ChildProcess) {
    this.#directory = directory
    this.#process = process
    this.#exit = once(process, 'close').then(([code]: (number | null)[]) => code ?? null)
    for (const stream of [process.stdout, process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
        for (const look of this.#waiters) look()
      })
    }
  }

  /** Starts `examples/<name>`, by its file `entry`. It reads nothing from its standard input, and knows only the variables that are given. */
  static async start(name: string, variables: Readonly<Record<string, string>> = {}, entry = 'index'): Promise<ExampleRun> {
    const directory = await mkdtemp(join(tmpdir(), `hermes-${name}-`))
    const script = fileURLToPath(new URL(`../../examples/${name}/dist/${entry}.js`, import.meta.url))
    const env = { PATH: process.env.PATH, HOME: directory, ...variables }
    return new ExampleRun(directory, spawn(process.execPath, [script], { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] }))
  }

  /** Everything that it printed, on both outputs. */
  get output(): string {
    return this.#output
  }

  /** Its exit code, once it has ended; `null` after a signal that it did not handle. */
  exited(): Promise<number | null> {
    return this.#exit
  }

  /** Resolves when the text was printed; rejects when the process ends without it. */
  async printed(text: string): Promise<void> {
    const seen = new Promise<void>((resolve) => {
      const look = (): void => {
        if (!this.#output.includes(text)) return
        this.#waiters.delete(look)
        resolve()
      }
      this.#waiters.add(look)
      look()
    })
    const ended = this.#exit.then((code) => {
      if (!this.#output.includes(text)) throw new Error(`It ended with ${code} and never printed ${JSON.stringify(text)}:\n${this.#output}`)
    })
    await Promise.race([seen, ended])
  }

  /** As Ctrl-C does; gives the exit code. */
  interrupt(): Promise<number | null> {
    this.#process.kill('SIGINT')
    return this.#exit
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#exit
    await rm(this.#directory, { recursive: true, force: true })
  }
}
