import { hideSecret } from '@hermes/plugin-sdk'
import { z } from 'zod'
import { defaultLadders } from './ladders.js'

const tokenHelp = 'must be the bot token that @BotFather gave you, like 123456:ABC-def (ask @BotFather for /newbot, or /token of a bot you have)'
const waits = z.array(z.number().int().min(0)).min(1).readonly()

const pollingOptions = z.strictObject({
  /** How long Telegram holds a poll open while nothing happens, seconds. */
  timeoutSeconds: z.number().int().min(0).max(50).default(30),
  /** Updates of one poll; they are the most that are received and not yet acknowledged. */
  batchSize: z.number().int().min(1).max(100).default(100),
  networkWaitsMs: waits.default([...defaultLadders.networkWaitsMs]),
  conflictWaitsMs: waits.default([...defaultLadders.conflictWaitsMs]),
  serverErrorWaitsMs: waits.default([...defaultLadders.serverErrorWaitsMs]),
  serverErrorPeriodMs: z.number().int().min(0).default(defaultLadders.serverErrorPeriodMs),
})

const webhookSecretHelp = 'must be 1 to 256 characters of A-Z a-z 0-9 _ -, best at random'

const webhookOptions = z.strictObject({
  /** Where Telegram posts updates; its last segment is the instance name, so that `gateway.handleRequest` finds this bot. */
  url: z.url({ protocol: /^https?$/, error: 'must be an https URL' }),
  /** Telegram shows it with every request. Without it the bot does not connect. */
  secret: z
    .string(webhookSecretHelp)
    .regex(/^[A-Za-z0-9_-]{1,256}$/, webhookSecretHelp)
    .transform(hideSecret)
    .optional(),
  /** Requests at once. Beyond one, messages that are written at the same moment may change places. */
  maxConnections: z.number().int().min(1).max(100).default(1),
})

/** The options of `telegram()`; those of every adapter (`allowFrom`, `name`, …) come on top. */
export const telegramOptions = z.object({
  token: z
    .string(tokenHelp)
    .trim()
    .regex(/^\d+:\S+$/, tokenHelp)
    .transform(hideSecret),
  /** Another Bot API server, without a slash at the end. */
  apiRoot: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .regex(/[^/]$/, 'must not end with a slash')
    .default('https://api.telegram.org'),
  /** Keeps what people wrote before the very first start; without it that first start begins with an empty queue. */
  keepPendingUpdates: z.boolean().default(false),
  /** How long an answer of Telegram may take, seconds; a poll may take its own `timeoutSeconds` longer. */
  requestTimeoutSeconds: z.number().positive().max(300).default(20),
  polling: pollingOptions.prefault({}),
  /** Telegram posts updates instead of being polled. Your server hands the requests to `gateway.handleRequest`. */
  webhook: webhookOptions.optional(),
  /** Kinds of updates that handlers of plugins want besides those that hermes reads, such as `inline_query` or `chat_member`. */
  moreUpdates: z
    .array(z.string().regex(/^[a-z_]+$/, 'must be the name of an update kind of the Bot API, like inline_query'))
    .readonly()
    .default([]),
  /** Commands in Telegram's own menu; what is built in is always inside. Below 1 and above 100 counts as those. */
  commandMenuLimit: z
    .number()
    .int()
    .default(60)
    .transform((limit) => Math.min(Math.max(limit, 1), 100)),
  /** All calls go through it: an `http`, `https`, `socks5` or `socks5h` URL. It may hold a password, and is hidden like one. */
  proxy: z
    .url({ protocol: /^(https?|socks5h?)$/, error: 'must be an http, https, socks5 or socks5h URL' })
    .transform(hideSecret)
    .optional(),
})

/** What `telegram()` takes, parsed. */
export type TelegramOptions = Readonly<z.output<typeof telegramOptions>>

/** How the poller works, parsed. */
export type PollingOptions = z.output<typeof pollingOptions>

/** How updates are posted to us, parsed. */
export type WebhookOptions = z.output<typeof webhookOptions>
