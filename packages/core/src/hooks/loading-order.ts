import type { Plugin } from '@hermes/plugin-sdk'
import { granted, type GrantedPlugin, type PluginEntry } from './grants.js'

/** In which order plugins come in. */
export interface LoadingOrder {
  /** Each behind those that it requires, else as listed. What can be met nowhere is still required. */
  readonly entries: readonly GrantedPlugin[]
  /** Plugins that require each other, by their ids: each begins with the one that comes in without what it requires. */
  readonly circles: readonly (readonly string[])[]
}

/** Orders plugins by their `requires`. Of a circle, the alphabetically first comes in without the others of it, and they follow. */
export function loadingOrder(entries: readonly PluginEntry[]): LoadingOrder {
  let waiting = entries.map(granted)
  const ordered: GrantedPlugin[] = []
  const circles: string[][] = []
  while (waiting.length > 0) {
    const isHeld = ({ requires = [] }: Plugin): boolean => requires.some((id) => waiting.some(({ plugin }) => plugin.id === id))
    const next = waiting.find(({ plugin }) => !isHeld(plugin))
    const chosen = next ?? breakCircle(waiting, circles)
    const original = next ?? waiting.find(({ plugin }) => plugin.id === chosen.plugin.id)
    waiting = waiting.filter((entry) => entry !== original)
    ordered.push(chosen)
  }
  return { entries: ordered, circles }
}

function breakCircle(waiting: readonly GrantedPlugin[], circles: string[][]): GrantedPlugin {
  const byId = new Map(waiting.map((entry) => [entry.plugin.id, entry]))
  const behind = (id: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const open = [id]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const further = byId.get(at)?.plugin.requires?.filter((required) => byId.has(required) && !seen.has(required)) ?? []
      for (const required of further) seen.add(required)
      open.push(...further)
    }
    return seen
  }
  const [first] = [...byId].filter(([id]) => behind(id).has(id)).toSorted(([one], [other]) => (one < other ? -1 : 1))
  if (!first) throw new Error('Plugins wait for each other, and none of them is in a circle.')
  const [id, { plugin, granted: given }] = first
  const circle = [...behind(id)].filter((other) => behind(other).has(id))
  circles.push([id, ...circle.filter((other) => other !== id).toSorted()])
  const requires = plugin.requires?.filter((required) => !circle.includes(required))
  return { plugin: { ...plugin, requires }, granted: given }
}
