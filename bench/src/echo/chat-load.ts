import { setTimeout as sleep } from 'node:timers/promises'
import { startTelegramEmulator } from 'hermes-tests/emulators'
import type { TelegramEmulator } from 'hermes-tests/emulators'

type Chat = ReturnType<TelegramEmulator['addPrivateChat']>
type AnswerHandler = (text: string | undefined) => void

/** How long the slowest answer may take before a bench fails. */
const patienceMs = 30_000

/** One measured stretch of time at full load. */
export interface SaturatedWindow<T> {
  readonly answered: number
  readonly ms: number
  /** What `probe` gave at the begin and at the end. */
  readonly probes: readonly [T, T]
}

/** People who write to an echo bot, over an emulator in this process. A text that comes back changed, or not at all, fails the bench. */
export class ChatLoad {
  readonly telegram: TelegramEmulator
  readonly #chats: readonly Chat[]
  readonly #waiting: Map<number, AnswerHandler>
  #written = 0

  private constructor(telegram: TelegramEmulator, chatCount: number, waiting: Map<number, AnswerHandler>) {
    this.telegram = telegram
    this.#chats = Array.from({ length: chatCount }, () => telegram.addPrivateChat())
    this.#waiting = waiting
  }

  /** Opens that many private chats. The caller stops the emulator. */
  static async start(chatCount: number): Promise<ChatLoad> {
    const waiting = new Map<number, AnswerHandler>()
    const telegram = await startTelegramEmulator({
      ledgerLimit: 100,
      onAccepted: ({ message }) => {
        if (message) waiting.get(message.chat.id)?.(message.text)
      },
    })
    return new ChatLoad(telegram, chatCount, waiting)
  }

  /** Resolves when the bot asks for updates for the first time. */
  async firstPoll(): Promise<void> {
    await this.telegram.waitFor(() => this.telegram.ledger.of('getUpdates').length > 0, { what: 'the first poll', timeoutMs: patienceMs })
  }

  /**
   * Writes one message after the other, to ten chats in turn and that `rounds` times; gives each answer's time in milliseconds. `between`
   * runs behind each answer.
   */
  async oneByOne(rounds: number, between: () => void = () => {}): Promise<readonly number[]> {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      for (const chat of this.#chats.slice(0, 10)) {
        const begun = performance.now()
        await this.#ask(chat)
        times.push(performance.now() - begun)
        between()
      }
    }
    return times
  }

  /** In every chat the next message follows the answer at once. What comes before the window is not counted. */
  async saturate<T>(times: { warmUpMs: number; windowMs: number }, probe: () => Promise<T>): Promise<SaturatedWindow<T>> {
    let isOver = false
    let answered = 0
    const talk = async (chat: Chat): Promise<void> => {
      while (!isOver) {
        await this.#ask(chat)
        answered += 1
      }
    }
    const talks = Promise.all(this.#chats.map(talk))
    const measure = async (): Promise<SaturatedWindow<T>> => {
      await sleep(times.warmUpMs)
      const before = { probe: await probe(), answered, at: performance.now() }
      await sleep(times.windowMs)
      const after = { probe: await probe(), answered, at: performance.now() }
      isOver = true
      return { answered: after.answered - before.answered, ms: after.at - before.at, probes: [before.probe, after.probe] }
    }
    const [window] = await Promise.all([measure(), talks])
    return window
  }

  #ask(chat: Chat): Promise<void> {
    this.#written += 1
    const text = `message ${this.#written}`
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`"${text}" was not answered within ${patienceMs} ms`)), patienceMs)
      this.#waiting.set(chat.id, (answer) => {
        clearTimeout(late)
        this.#waiting.delete(chat.id)
        if (answer === text) resolve()
        else reject(new Error(`"${text}" was answered with "${answer}"`))
      })
      this.telegram.say(chat, text)
    })
  }
}
