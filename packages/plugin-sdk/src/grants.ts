/** Every right that a plugin must ask for. */
export const allGrants = ['messages.inject', 'messages.send', 'turns.run', 'tools.override'] as const

/**
 * A right that whoever composes the gateway gives a plugin: `grant(plugin, ['tools.override'])`.
 *
 * - `messages.inject`: it may say something into conversations, as `host.inject`.
 * - `messages.send`: it may write into any chat, as `host.send`.
 * - `turns.run`: it may have the agent answer it, as `host.run`.
 * - `tools.override`: its tools may take the place of other plugins' tools of the same name, for as long as it stays.
 */
export type Grant = (typeof allGrants)[number]

export function isGrant(value: unknown): value is Grant {
  return (allGrants as readonly unknown[]).includes(value)
}
