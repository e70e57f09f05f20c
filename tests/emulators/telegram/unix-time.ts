/** The platform's time now, in whole seconds. The platform has a clock of its own: no test's. */
export function unixTime(): number {
  return Math.floor(Date.now() / 1000)
}
