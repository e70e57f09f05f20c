import type { Command } from '@hermes/plugin-sdk'
import type { CallerTier } from './ports.js'

/** `named-admin`: only who is named as an admin, also where none are named and everybody may run what is for admins. */
export type CommandNeed = 'admin' | 'named-admin'

/** May somebody of this tier run the command? `needs` is that of a built-in one, `tier` that of a plugin's. */
export function mayRun(caller: CallerTier, command: { readonly needs?: CommandNeed | undefined; readonly tier?: Command['tier'] }): boolean {
  const needs = command.needs ?? (command.tier === 'admin' ? 'admin' : undefined)
  return needs === undefined || caller === 'admin' || (needs === 'admin' && caller === 'ungated')
}
