/** The end of the demo: a signal, or whoever calls `end`. */
export interface Ending {
  readonly reached: Promise<void>
  readonly end: () => void
}

/** From now on Ctrl-C ends the demo cleanly; a second one kills it. */
export function awaitEnding(): Ending {
  let end: () => void = () => {}
  const reached = new Promise<void>((resolve) => {
    end = resolve
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  return { reached, end }
}
