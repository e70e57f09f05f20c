import type { Awaitable, Registration } from '@hermes/plugin-sdk'
import { registration } from '../kernel/index.js'

/** One step back. */
export interface UndoStep {
  /** How long it may take. */
  readonly timeoutMs: number
  run(): Awaitable<void>
}

/** What is to be undone when its owner leaves, newest first. */
export interface UndoStack {
  /** Steps that were not taken yet. */
  readonly size: number
  /** A step that is taken when its registration is disposed, or with the owner. */
  push(step: UndoStep): Registration
  /** A step that is taken with the owner only; disposing its registration forgets it. */
  defer(step: UndoStep): Registration
  /** Takes all steps, one after another, and resolves when those that were begun by a disposal have ended, too. */
  unwind(): Promise<void>
}

/** Makes an empty stack. `undo` takes a step and never rejects. */
export function createUndoStack(undo: (step: UndoStep) => Promise<void>): UndoStack {
  const steps = new Set<UndoStep>()
  const underWay = new Set<Promise<void>>()
  const begin = (step: UndoStep): void => {
    const undoing = undo(step).then(() => void underWay.delete(undoing))
    underWay.add(undoing)
  }
  return {
    get size() {
      return steps.size
    },
    push(step) {
      steps.add(step)
      return registration(() => {
        if (steps.delete(step)) begin(step)
      })
    },
    defer(step) {
      steps.add(step)
      return registration(() => steps.delete(step))
    },
    async unwind() {
      for (let newest = [...steps].at(-1); newest; newest = [...steps].at(-1)) {
        steps.delete(newest)
        await undo(newest)
      }
      await Promise.all(underWay)
    },
  }
}
