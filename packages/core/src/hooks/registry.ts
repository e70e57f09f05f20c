import { HermesError, type HermesErrorDetails, type Registration } from '@hermes/plugin-sdk'
import { registration } from '../kernel/index.js'

/** Something registered, and the id of the plugin that brought it. */
export interface OwnedEntry<T> {
  readonly name: string
  readonly value: T
  readonly owner: string
}

/** Named things of many owners. */
export interface Registry<T> {
  get(name: string): T | undefined
  /** In the order of their registration. */
  list(): readonly T[]
  /** Throws `name.taken`, naming the owner. */
  add(entry: OwnedEntry<T>): Registration
}

type NameKind = HermesErrorDetails['name.taken']['kind']

/** How a registry differs from an empty one that nobody watches. */
export interface RegistrySetup {
  /** Names that belong to hermes. */
  readonly reserved?: Iterable<string> | undefined
  /** Hears when something came or went. Must not throw. */
  readonly onChange?: (() => void) | undefined
}

/** Makes an empty registry. `kind` is the word that its errors use. */
export function createRegistry<T>(kind: NameKind, { reserved = [], onChange }: RegistrySetup = {}): Registry<T> {
  const entries = new Map<string, OwnedEntry<T>>()
  const owners = new Map([...reserved].map((name) => [name, 'hermes']))
  return {
    get: (name) => entries.get(name)?.value,
    list: () => [...entries.values()].map((entry) => entry.value),
    add(entry) {
      const owner = owners.get(entry.name)
      if (owner !== undefined) throw nameTaken(kind, entry.name, owner)
      entries.set(entry.name, entry)
      owners.set(entry.name, entry.owner)
      onChange?.()
      return registration(() => {
        entries.delete(entry.name)
        owners.delete(entry.name)
        onChange?.()
      })
    },
  }
}

/** The error of a name that somebody else has. */
export function nameTaken(kind: NameKind, name: string, owner: string): HermesError<'name.taken'> {
  const advice = kind === 'platform' || kind === 'plugin' ? ' A second adapter of a platform needs another name: give it the option `name`.' : ''
  return new HermesError('name.taken', `The ${kind} name ${name} is taken by ${owner}.${advice}`, { kind, name, owner })
}
