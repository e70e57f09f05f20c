/** What a bot of a bench is told, as JSON in its first argument. */
export interface BotSettings {
  readonly apiRoot: string
  readonly token: string
  /** An empty directory that the bot may fill. */
  readonly directory: string
  /** How many plugins tap the hooks on the way of a message. */
  readonly plugins: number
}

/** What a bot's process has used since its start. */
export interface BotUsage {
  readonly cpuMs: number
  readonly peakRssBytes: number
  readonly store: StoreUsage
}

/** What a bot asked of its durable store; zeros for a bot without one. */
export interface StoreUsage {
  readonly commits: number
  /** Commands that had to be on disk before they were answered. */
  readonly durableCommands: number
}

/** The settings of this process. */
export function readSettings(): BotSettings {
  return JSON.parse(process.argv[2] ?? '') as BotSettings
}

/** Answers the bench: each message of it asks for the usage, its leaving ends the bot. */
export function serveBench(parts: { storeUsage(): StoreUsage; stop(): Promise<void> }): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    const usage: BotUsage = { cpuMs: (user + system) / 1000, peakRssBytes: process.resourceUsage().maxRSS * 1024, store: parts.storeUsage() }
    process.send?.(usage)
  })
  process.once('disconnect', () => {
    parts.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  })
}
