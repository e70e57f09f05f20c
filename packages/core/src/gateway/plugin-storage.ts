import { HermesError, type Clock, type Collection, type Deletion, type PluginStorage, type Stored, type Write } from '@hermes/plugin-sdk'
import type { z } from 'zod'
import type { CollectionName, DocumentWrite, StateStore, StoredDocument } from '../store/index.js'

const collectionName = /^[a-z0-9][a-z0-9._-]{0,63}$/
/** No control characters, no halves of characters, and nothing that a range could not end behind. */
const keyPattern = /^[ -~\u00A0-\uD7FF\uE000-\u{10FFFD}]{1,256}$/u
const mostValueBytes = 64 * 1024
const mostWrites = 100
const usualList = 100
const longestList = 200

/** What the storage of plugins needs of the house. */
export interface StoragePorts {
  readonly store: StateStore
  readonly clock: Pick<Clock, 'now'>
  /** Resolves when the store is open; rejects when it will not be any more. */
  readonly whenOpen: Promise<void>
}

/** Makes the storage of one plugin. */
export function createPluginStorage(plugin: string, ports: StoragePorts): PluginStorage {
  return {
    collection(name, schema) {
      if (typeof name !== 'string' || !collectionName.test(name))
        throw invalid(`storage of plugin ${plugin}`, `the name must match ${collectionName}`)
      return new StoredCollection({ plugin, collection: name }, schema, ports)
    },
  }
}

class StoredCollection<T> implements Collection<T> {
  readonly #name: CollectionName
  readonly #schema: z.ZodType<T>
  readonly #ports: StoragePorts

  constructor(name: CollectionName, schema: z.ZodType<T>, ports: StoragePorts) {
    this.#name = name
    this.#schema = schema
    this.#ports = ports
  }

  async get(key: string): Promise<Stored<T> | undefined> {
    this.#checkKey(key)
    await this.#ports.whenOpen
    const row = await this.#ports.store.execute('collection.get', { ...this.#name, key, at: this.#ports.clock.now() })
    return row && (await this.#read(row))
  }

  async put(write: Write<T>): Promise<Stored<T> | undefined> {
    const document = await this.#encode(write)
    const [version] = (await this.#write([document])) ?? []
    return version === undefined ? undefined : await this.#read({ key: document.key, value: document.value, version })
  }

  async delete(key: string, ifVersion?: number): Promise<boolean> {
    this.#checkKey(key)
    const [version = 0] = (await this.#write([{ key, ifVersion }])) ?? []
    return version > 0
  }

  async list({ prefix = '', after, limit = usualList }: { prefix?: string; after?: string; limit?: number } = {}): Promise<readonly Stored<T>[]> {
    if (prefix !== '') this.#checkKey(prefix)
    if (after !== undefined && after !== '') this.#checkKey(after)
    if (!Number.isInteger(limit) || limit < 1 || limit > longestList) throw this.#invalid(`limit must be a whole number from 1 to ${longestList}`)
    await this.#ports.whenOpen
    const range = { ...this.#name, prefix, after, limit, at: this.#ports.clock.now() }
    const rows = await this.#ports.store.execute('collection.list', range)
    return Promise.all(rows.map((row) => this.#read(row)))
  }

  async batch(writes: readonly (Write<T> | Deletion)[]): Promise<boolean> {
    if (writes.length > mostWrites) throw this.#invalid(`a batch has at most ${mostWrites} writes, and not ${writes.length}`)
    const keys = new Set(writes.map(({ key }) => key))
    if (keys.size < writes.length) throw this.#invalid('a batch writes each key once')
    const documents = await Promise.all(writes.map((write) => this.#encodeAny(write)))
    return (await this.#write(documents)) !== undefined
  }

  async #encodeAny(write: Write<T> | Deletion): Promise<DocumentWrite> {
    if (!('isDeleted' in write)) return this.#encode(write)
    this.#checkKey(write.key)
    return { key: write.key }
  }

  /** Checks that the value will come back as the schema wants it. */
  async #encode({ key, value, ifVersion, expiresAt }: Write<T>): Promise<DocumentWrite & { readonly value: string }> {
    this.#checkKey(key)
    const isVersion = ifVersion === undefined || ifVersion === 'absent' || Number.isSafeInteger(ifVersion)
    if (!isVersion) throw this.#invalid(`${key}: ifVersion must be a version, or 'absent'`)
    if (expiresAt !== undefined && !Number.isSafeInteger(expiresAt))
      throw this.#invalid(`${key}: expiresAt must be whole milliseconds since the epoch`)
    const text = this.#toJson(key, await this.#parse(key, value))
    await this.#parse(key, JSON.parse(text), 'does not come back from JSON as it went in: ')
    return { key, value: text, ifVersion, expiresAt }
  }

  #toJson(key: string, value: T): string {
    const text = jsonOf(value)
    if (text === undefined) throw this.#invalid(`${key}: the value has no JSON`)
    const bytes = Buffer.byteLength(text)
    if (bytes > mostValueBytes) throw this.#invalid(`${key}: the value has ${bytes} bytes of JSON, and ${mostValueBytes} are allowed`)
    return text
  }

  async #read({ key, value, version }: StoredDocument): Promise<Stored<T>> {
    return { key, value: await this.#parse(key, JSON.parse(value), 'was stored in another shape: '), version }
  }

  async #parse(key: string, value: unknown, why = ''): Promise<T> {
    const parsed = await this.#schema.safeParseAsync(value)
    if (parsed.success) return parsed.data
    throw this.#invalid(...parsed.error.issues.map(({ path, message }) => `${[key, ...path.map(String)].join('.')}: ${why}${message}`))
  }

  /** The versions, or `undefined` where somebody was faster. */
  async #write(writes: readonly DocumentWrite[]): Promise<readonly number[] | undefined> {
    await this.#ports.whenOpen
    const result = await this.#ports.store.execute('collection.write', { ...this.#name, writes, at: this.#ports.clock.now() })
    return result.outcome === 'written' ? result.versions : undefined
  }

  #checkKey(key: unknown): void {
    if (typeof key !== 'string' || !keyPattern.test(key)) throw this.#invalid('a key must be 1 to 256 characters without control characters')
  }

  #invalid(...issues: readonly string[]): HermesError<'value.invalid'> {
    return invalid(`collection ${this.#name.collection} of plugin ${this.#name.plugin}`, ...issues)
  }
}

/** `undefined`: it has none, such as a function, or a circle. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined
  } catch {
    return undefined
  }
}

function invalid(where: string, ...issues: readonly string[]): HermesError<'value.invalid'> {
  return new HermesError('value.invalid', `The ${where} refuses that: ${issues.join('; ')}.`, { where, issues })
}
