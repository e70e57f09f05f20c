import type { SkippingTestApi } from '@hermes/plugin-sdk/conformance'

/** Runs one case of a suite, `group: promise`, and gives back what it found. Throws where there is none of that name, or it is skipped. */
export async function playCase(wanted: string, suite: (test: SkippingTestApi) => void): Promise<string> {
  const body = collected(suite).get(wanted)
  if (!body) throw new Error(`the suite has no case "${wanted}"`)
  return body().then(() => 'every promise is kept', String)
}

/** The cases of a suite, by their names. */
export function collected(suite: (test: SkippingTestApi) => void): ReadonlyMap<string, () => Promise<void>> {
  const bodies = new Map<string, () => Promise<void>>()
  let group = ''
  suite({
    describe: (name, body) => ((group = name), body()),
    it: Object.assign((name: string, body: () => Promise<void>) => void bodies.set(`${group}: ${name}`, body), { skip() {} }),
  })
  return bodies
}
