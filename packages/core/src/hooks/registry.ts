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
  /** In the order in which their names were first registered. */
  list(): readonly T[]
  /**
   * Throws `name.taken`, naming the owner. `replaces`: takes the place of what another owner registered under this name; of those that
   * replaced each other, the last one that is still here has the name.
   */
  add(entry: OwnedEntry<T>, options?: { readonly replaces: boolean }): Registration
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
  const ours = new Set(reserved)
  /** Those of one name, the one in force last. */
  const entries = new Map<string, readonly OwnedEntry<T>[]>()
  const inForce = (name: string): OwnedEntry<T> | undefined => entries.get(name)?.at(-1)
  const refuse = (name: string, owner: string): never => {
    throw nameTaken(kind, name, owner)
  }
  return {
    get: (name) => inForce(name)?.value,
    list: () => [...entries.keys()].flatMap((name) => inForce(name)?.value ?? []),
    add(entry, { replaces } = { replaces: false }) {
      const { name, owner } = entry
      if (ours.has(name)) refuse(name, 'hermes')
      const standing = entries.get(name) ?? []
      const rival = replaces ? standing.find((other) => other.owner === owner) : standing.at(-1)
      if (rival) refuse(name, rival.owner)
      entries.set(name, [...standing, entry])
      onChange?.()
      return registration(() => {
        const others = (entries.get(name) ?? []).filter((other) => other !== entry)
        if (others.length > 0) entries.set(name, others)
        else entries.delete(name)
        onChange?.()
      })
    },
  }
}

/** The error of a name that somebody else has. */
export function nameTaken(kind: NameKind, name: string, owner: string): HermesError<'name.taken'> {
  return new HermesError('name.taken', `The ${kind} name ${name} is taken by ${owner}.${adviceFor(kind)}`, { kind, name, owner })
}

function adviceFor(kind: NameKind): string {
  if (kind === 'command') return ''
  if (kind === 'tool') return ' To take its place, a plugin asks for the grant tools.override.'
  return ' A second adapter of a platform needs another name: give it the option `name`.'
}
