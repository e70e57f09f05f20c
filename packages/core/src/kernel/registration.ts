import type { Registration } from '@hermes/plugin-sdk'

/** A registration whose `undo` runs at most once. */
export function registration(undo: () => void): Registration {
  let isDone = false
  const dispose = (): void => {
    if (isDone) return
    isDone = true
    undo()
  }
  return { dispose, [Symbol.dispose]: dispose }
}
