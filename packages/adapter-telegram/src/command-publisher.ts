import type { CommandSpec } from '@hermes/plugin-sdk'
import type { Api } from 'grammy'
import { toTrouble } from './failures.js'
import { toGrammySignal } from './grammy-signal.js'
import { asObject, asString } from './json-reading.js'

/** Where the menu is shown. Telegram takes the narrowest that is set, so all are. */
const scopes = ['default', 'all_private_chats', 'all_group_chats'] as const

type Scope = (typeof scopes)[number]

/** Puts commands into the menus of Telegram's clients. */
export class CommandPublisher {
  readonly #shown = new Map<Scope, string>()

  /** Each scope by itself: one that fails keeps no other from being set. Rejects then, in the end, saying which. */
  async publish(commands: readonly CommandSpec[], api: Api, signal: AbortSignal): Promise<void> {
    const wanted = commands.map(({ name, description }) => ({ command: name, description: description || name }))
    const results = await Promise.allSettled(scopes.map((scope) => this.#publishTo(scope, wanted, { api, signal })))
    const failures = results.flatMap((result, index) =>
      result.status === 'rejected' ? [`${scopes[index]}: ${toTrouble(result.reason).detail}`] : [],
    )
    if (failures.length > 0) throw new Error(`The command menu is not set everywhere: ${failures.join('; ')}.`)
  }

  /** Asks first: Telegram limits how often a menu is set, and after a restart it is mostly the same. */
  async #publishTo(type: Scope, commands: readonly NativeCommand[], { api, signal }: { api: Api; signal: AbortSignal }): Promise<void> {
    const wanted = JSON.stringify(commands)
    if (this.#shown.get(type) === wanted) return
    const scope = { type }
    const shown: unknown = await api.getMyCommands({ scope }, toGrammySignal(signal))
    if (JSON.stringify(readCommands(shown)) !== wanted) await api.setMyCommands(commands, { scope }, toGrammySignal(signal))
    this.#shown.set(type, wanted)
  }
}

interface NativeCommand {
  readonly command: string
  readonly description: string
}

function readCommands(value: unknown): readonly NativeCommand[] {
  if (!Array.isArray(value)) return []
  return value.map((each) => ({ command: asString(asObject(each)?.['command']) ?? '', description: asString(asObject(each)?.['description']) ?? '' }))
}
