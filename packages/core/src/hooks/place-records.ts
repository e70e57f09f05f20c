import type { Registration } from '@hermes/plugin-sdk'
import { registration } from '../kernel/index.js'
import { CallRecord, type RecordPorts } from './call-record.js'
import type { HookHealth } from './hook-health.js'

/** How the code of plugins is doing that is no tap and no handler: what registers, tools, commands. */
export class PlaceRecords {
  readonly #ports: RecordPorts
  readonly #byOwner = new Map<string, Map<string, CallRecord>>()
  /** Of what was brought. */
  readonly #byThing = new WeakMap<object, CallRecord>()

  constructor(ports: RecordPorts) {
    this.#ports = ports
  }

  /** The record of a place, from now on. */
  open(owner: string, hook: string): CallRecord {
    const record = new CallRecord({ owner, hook }, this.#ports)
    const places = this.#byOwner.get(owner) ?? new Map<string, CallRecord>()
    this.#byOwner.set(owner, places)
    places.set(hook, record)
    return record
  }

  /** Opens the record of a tool or command; the registration closes it. */
  keep(thing: object, owner: string, hook: string): Registration {
    this.#ports.watch?.follow()
    this.#byThing.set(thing, this.open(owner, hook))
    return registration(() => void this.#byOwner.get(owner)?.delete(hook))
  }

  /** The record of what was brought last as this tool or command. */
  of(thing: object): CallRecord | undefined {
    return this.#byThing.get(thing)
  }

  /** Forgets how an owner did. */
  forget(owner: string): void {
    this.#byOwner.delete(owner)
  }

  /** By owner. */
  health(): ReadonlyMap<string, readonly HookHealth[]> {
    const told = [...this.#byOwner].map(([owner, places]): [string, readonly HookHealth[]] => {
      return [owner, [...places.values()].filter((record) => !record.isBlank).map((record) => record.health())]
    })
    return new Map(told.filter(([, health]) => health.length > 0))
  }
}
