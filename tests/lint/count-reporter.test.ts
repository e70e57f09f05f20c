import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const reporter = fileURLToPath(new URL('../../scripts/count-reporter.mjs', import.meta.url))

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'hermes-counts-'))))
afterEach(() => rm(folder, { recursive: true }))

/** The last line of a run over some test files, and its exit code. */
async function run(files: Readonly<Record<string, string>>): Promise<{ code: number; lastLine: string | undefined }> {
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
  return new Promise((resolve) => {
    execFile(process.execPath, [vitest, 'run', '--globals', '--root', folder, `--reporter=${reporter}`], { cwd: folder }, (error, stdout) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, lastLine: stdout.trim().split('\n').at(-1) })
    })
  })
}

describe('the line of counts', () => {
  it('says how many tests passed, without those that were skipped', async () => {
    const text = `it('one', () => {}); it('two', () => {}); it.skip('three', () => {})`
    expect(await run({ 'green.test.js': text })).toEqual({ code: 0, lastLine: '2 passed, 0 failed' })
  })

  it('counts a file that does not load and an error outside of tests as failures', async () => {
    const files = {
      'green.test.js': `it('passes', () => {})`,
      'red.test.js': `it('fails', () => { throw new Error('no') })`,
      'broken.test.js': `throw new Error('does not load')`,
      'floating.test.js': `it('leaves a promise behind', () => { void Promise.reject(new Error('late')) })`,
    }
    expect(await run(files)).toEqual({ code: 1, lastLine: '2 passed, 3 failed' })
  })
})
