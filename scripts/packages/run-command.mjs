import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/**
 * Runs a command to its end and returns what it printed, trimmed. Throws with everything that it printed where it fails or takes longer than
 * ten minutes.
 */
export async function runCommand(command, args, options = {}) {
  try {
    const { stdout } = await execute(command, args, { timeout: 600_000, maxBuffer: 64 * 1024 * 1024, ...options })
    return stdout.trim()
  } catch (error) {
    // What failed is what the command printed; the stack of this process says nothing.
    throw new Error(`${[command, ...args].join(' ')} failed:\n${error.stdout ?? ''}${error.stderr ?? error.message}`)
  }
}
