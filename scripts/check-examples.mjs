import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTelegramEmulator } from '../tests/dist/emulators/index.js'
import { runCommand } from './packages/run-command.mjs'

// Runs the built examples as their README says, in a folder of their own: the embedded engine to its end, the echo bot against the emulator.

const folder = await mkdtemp(join(tmpdir(), 'hermes-examples-'))
try {
  await checkEmbeddedEngine()
  await checkEchoBot()
} finally {
  await rm(folder, { recursive: true })
}

async function checkEmbeddedEngine() {
  const printed = await runCommand(process.execPath, [builtExample('embedded-engine')], { cwd: folder, timeout: 60_000 })
  assert.match(printed, /completed after \d+ model calls/)
  console.log('The embedded engine answers')
}

async function checkEchoBot() {
  const emulator = await startTelegramEmulator()
  const env = { ...process.env, TELEGRAM_BOT_TOKEN: emulator.token, TELEGRAM_API_ROOT: emulator.url }
  const bot = spawn(process.execPath, [builtExample('echo-telegram')], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const exit = new Promise((resolve, reject) => bot.once('error', reject).once('exit', (code, signal) => resolve(code ?? signal)))
  try {
    const chat = emulator.addPrivateChat()
    emulator.say(chat, 'Is anybody there?')
    await emulator.waitFor(() => emulator.answers(chat).includes('Is anybody there?'))
    bot.kill('SIGTERM')
    assert.equal(await exit, 0, 'the echo bot did not stop by itself')
    console.log('The echo bot echoes, and stops when it is told to')
  } finally {
    bot.kill('SIGKILL')
    await emulator.stop()
  }
}

function builtExample(name) {
  return fileURLToPath(new URL(`../examples/${name}/dist/index.js`, import.meta.url))
}
