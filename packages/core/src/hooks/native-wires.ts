import type { NativeHandler } from '@hermes/plugin-sdk'
import { isolate } from '../kernel/index.js'
import type { CallRecord, RecordPorts } from './call-record.js'

const undoTimeoutMs = 5000

/** A handler of a plugin for the native objects of a platform. */
export interface PlatformHandler {
  readonly owner: string
  /** Trimmed, lower case. */
  readonly platform: string
  readonly record: CallRecord
  readonly run: NativeHandler<string>
}

/** What was wired onto one native object, and how it is undone. */
export class NativeWires {
  readonly #ports: RecordPorts
  /** Every handler that ran, also one that failed: it may have wired half of it. */
  readonly #begun = new WeakSet<PlatformHandler>()
  readonly #undos = new Map<PlatformHandler, () => void>()

  constructor(ports: RecordPorts) {
    this.#ports = ports
  }

  /** `false`: the handler ran on this object before. */
  begin(handler: PlatformHandler): boolean {
    if (this.#begun.has(handler)) return false
    this.#begun.add(handler)
    return true
  }

  /** Takes what the handler answered; throws `TypeError` for what is no undo. One that comes when nobody wants the wire any more runs at once. */
  keep(handler: PlatformHandler, answer: unknown, isWanted: () => boolean): void {
    if (answer === undefined || answer === null) return
    if (typeof answer !== 'function') throw new TypeError(`it must answer with its undo or with nothing, and answered with ${typeof answer}`)
    this.#undos.set(handler, answer as () => void)
    if (!isWanted()) void this.undo(handler)
  }

  /** The handler may be wired again afterwards, if it had an undo. */
  async undo(handler: PlatformHandler): Promise<void> {
    const run = this.#undos.get(handler)
    if (!run) return
    this.#undos.delete(handler)
    this.#begun.delete(handler)
    const { clock, logger } = this.#ports
    const what = `plugin ${handler.owner}: undo of platformHandler:${handler.platform}`
    const undone = await isolate(() => handler.record.run(run), { clock, timeoutMs: undoTimeoutMs, what })
    if (!undone.ok) logger.warn({ plugin: handler.owner, error: undone.error }, 'A platform handler could not be undone.')
  }

  async undoAll(): Promise<void> {
    await Promise.all([...this.#undos.keys()].toReversed().map((handler) => this.undo(handler)))
  }
}
