import { HermesError, type HermesErrorDetails, type Registration } from '@hermes/plugin-sdk'
import { registration } from '../kernel/index.js'

/** Something registered, and the id of the plugin that brought it. */
export interface OwnedEntry<T> {
  readonly name: string
  readonly value: T
  readonly owner: string
}

/** What happened to a registry. */
export interface RegistryChange<T> {
  readonly kind: 'added' | 'removed'
  readonly entry: OwnedEntry<T>
}

/** Named things of many owners, as their readers see them. */
export interface Registry<T> {
  get(name: string): OwnedEntry<T> | undefined
  /** In the order of their registration. */
  list(): readonly OwnedEntry<T>[]
  /** Hears of every change from now on, right after it. A listener must not throw. */
  onChange(listener: (change: RegistryChange<T>) => void): Registration
}

/** A registry, and the way into it. */
export interface WritableRegistry<T> extends Registry<T> {
  /** Throws `name.taken`, naming the owner. */
  add(entry: OwnedEntry<T>): Registration
}

/** Makes an empty registry; `kind` is the word that its errors use. */
export function createRegistry<T>(kind: HermesErrorDetails['name.taken']['kind']): WritableRegistry<T> {
  const entries = new Map<string, OwnedEntry<T>>()
  const listeners = new Set<(change: RegistryChange<T>) => void>()
  const tell = (change: RegistryChange<T>): void => {
    for (const listener of listeners) listener(change)
  }
  return {
    get: (name) => entries.get(name),
    list: () => [...entries.values()],
    onChange(listener) {
      const own = (change: RegistryChange<T>): void => listener(change)
      listeners.add(own)
      return registration(() => listeners.delete(own))
    },
    add(entry) {
      const { name } = entry
      const taken = entries.get(name)
      if (taken) throw nameTaken(kind, name, taken.owner)
      entries.set(name, entry)
      tell({ kind: 'added', entry })
      return registration(() => {
        entries.delete(name)
        tell({ kind: 'removed', entry })
      })
    },
  }
}

/** The error of a name that somebody else has. */
export function nameTaken(kind: HermesErrorDetails['name.taken']['kind'], name: string, owner: string): HermesError<'name.taken'> {
  const advice = kind === 'platform' || kind === 'plugin' ? ' A second adapter of a platform needs another name: give it the option `name`.' : ''
  return new HermesError('name.taken', `The ${kind} name ${name} is taken by plugin ${owner}.${advice}`, { kind, name, owner })
}
