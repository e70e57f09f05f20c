import assert from 'node:assert/strict'

/** The longest that a case waits for one thing. */
const patienceMs = 5_000

/** Resolves when the condition holds; rejects with what was waited for. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + patienceMs; !condition(); await pause(5)) assert.ok(Date.now() < end, `it never came that ${what}`)
}

/** What a promise gives, in time. */
export async function within<T>(work: Promise<T>, what: string, ms = patienceMs): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it never came that ${what}`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What a promise rejects with; fails where it does not. */
export async function reasonOf(work: Promise<unknown>, what: string): Promise<unknown> {
  const settled = await within(Promise.allSettled([work]), `${what} settles`)
  const [result] = settled
  return result?.status === 'rejected' ? result.reason : assert.fail(`${what} did not fail`)
}

/** Time for what must not happen. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
