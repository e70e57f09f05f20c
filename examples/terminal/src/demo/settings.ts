import { homedir } from 'node:os'
import { join } from 'node:path'

/** A model behind the OpenAI wire. */
export interface RealModel {
  readonly baseUrl: string
  readonly apiKey: string
  readonly name: string
}

/** A bot of Telegram, and who may speak to it. */
export interface TelegramBot {
  readonly token: string
  /** Another Bot API server. */
  readonly apiRoot?: string | undefined
  /** Ids of people. */
  readonly allowFrom: readonly string[]
}

/** What the environment says. */
export interface DemoSettings {
  /** Where the database and the log lie. */
  readonly directory: string
  /** None: the offline model. */
  readonly model?: RealModel | undefined
  /** None: the terminal, or the scripted conversation. */
  readonly telegram?: TelegramBot | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** Says what in the environment does not fit; its message is for people. */
class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** Reads the environment. Throws a `SettingsError` that lists everything that is wrong. */
export function readSettings(environment: Environment): DemoSettings {
  const issues: string[] = []
  const model = readModel(environment, issues)
  const telegram = readTelegram(environment)
  if (issues.length > 0) throw new SettingsError(`The environment does not fit:\n${issues.map((issue) => `  ${issue}`).join('\n')}`)
  return { directory: readDirectory(environment), model, telegram }
}

function readDirectory(environment: Environment): string {
  const data = set(environment.XDG_DATA_HOME) ?? join(homedir(), '.local', 'share')
  return set(environment.HERMES_DEMO_DIR) ?? join(data, 'hermes-demo')
}

/** A key alone is no wish for a real model: many shells have one for other tools. */
function readModel(environment: Environment, issues: string[]): RealModel | undefined {
  const baseUrl = set(environment.OPENAI_BASE_URL)
  if (baseUrl === undefined) return undefined
  const apiKey = set(environment.OPENAI_API_KEY)
  const name = set(environment.OPENAI_MODEL)
  if (!URL.canParse(baseUrl)) issues.push('OPENAI_BASE_URL must be a URL, such as https://api.openai.com/v1')
  if (apiKey === undefined) issues.push('OPENAI_API_KEY is missing; a server without keys takes any text')
  if (name === undefined) issues.push('OPENAI_MODEL is missing: the name of the model, as the server calls it')
  return { baseUrl, apiKey: apiKey ?? '', name: name ?? '' }
}

function readTelegram(environment: Environment): TelegramBot | undefined {
  const token = set(environment.TELEGRAM_BOT_TOKEN)
  if (token === undefined) return undefined
  const allowFrom = (environment.HERMES_ALLOW_FROM ?? '').split(/[\s,]+/).filter((id) => id !== '')
  return { token, apiRoot: set(environment.TELEGRAM_API_ROOT), allowFrom }
}

function set(value: string | undefined): string | undefined {
  return value?.trim() || undefined
}
