import { Readable, Writable } from 'node:stream'
import { z } from 'zod'

/** The options of `terminal()`; those of every adapter come on top. */
export const terminalOptions = z.object({
  /** Each line is a message. Default: standard input. */
  input: z.custom<Readable>((value) => value instanceof Readable, 'must be a readable stream').default(() => process.stdin),
  /** Default: standard output. */
  output: z.custom<Writable & { isTTY?: boolean }>((value) => value instanceof Writable, 'must be a writable stream').default(() => process.stdout),
  /** Called once when the person ends the input (Ctrl-D) or interrupts it (Ctrl-C). */
  onEnd: z.custom<() => void>((value) => typeof value === 'function', 'must be a function').optional(),
})

/** What `terminal()` takes, parsed. */
export type TerminalOptions = Readonly<z.output<typeof terminalOptions>>
