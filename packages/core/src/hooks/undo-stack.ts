import type { Awaitable, Registration } from '@hermes/plugin-sdk'
import { registration } from '../kernel/index.js'

/** Takes one step back. */
export type Undo = () => Awaitable<void>

/** What is to be undone when its owner leaves, newest first. */
export interface UndoStack {
  /** Disposing the registration takes the undo off the stack, and runs `cancel` if there is one. */
  push(undo: Undo, cancel?: () => void): Registration
  /** Takes the newest off; `undefined` when all is undone. */
  pop(): Undo | undefined
}

/** Makes an empty stack. */
export function createUndoStack(): UndoStack {
  const steps = new Set<{ readonly undo: Undo }>()
  return {
    push(undo, cancel) {
      const step = { undo }
      steps.add(step)
      return registration(() => {
        if (steps.delete(step)) cancel?.()
      })
    },
    pop() {
      const newest = [...steps].at(-1)
      if (newest) steps.delete(newest)
      return newest?.undo
    },
  }
}
