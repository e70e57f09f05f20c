import { HermesError, type Grant, type Logger, type RoutedChat, type RunRequest } from '@hermes/plugin-sdk'
import { z } from 'zod'
import type { Delivery } from '../delivery/index.js'
import type { HostServices, ServedPlugin } from '../hooks/index.js'
import type { Ids } from '../kernel/index.js'
import { persist, type StateStore, type StoreCommandName, type StoreCommands } from '../store/index.js'
import type { Turns } from '../turns/index.js'
import { createPluginStorage, type StoragePorts } from './plugin-storage.js'

/** Characters of a text that a plugin sends or injects. */
const longestText = 100_000

/** What the services need of the house. */
export interface ServicePorts extends StoragePorts {
  readonly store: StateStore
  readonly clock: StoragePorts['clock'] & Parameters<typeof persist>[2]['clock']
  readonly ids: Ids
  readonly logger: Logger
  readonly signal: AbortSignal
  /** Messages that may wait in one conversation. */
  readonly waitingLimit: number
  readonly delivery: () => Pick<Delivery, 'compose' | 'take'>
  readonly turns: () => Pick<Turns, 'wake' | 'run'>
  readonly hasAdapter: (name: string) => boolean
  /** A row stands in the inbox that no platform delivered. */
  readonly onStored: () => void
}

const text = z.string().trim().min(1).max(longestText)
const injection = z.object({ sessionKey: z.string().min(1), text, whileBusy: z.literal('queue').optional() })
const runRequest = z.object({
  input: text,
  sessionKey: z.string().min(1).optional(),
  key: z.string().min(1).max(256).optional(),
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'must be an AbortSignal').optional(),
})
const outgoing = z.object({ text })
const routedChat = z.object({
  platform: z.string().min(1),
  adapter: z.string().min(1),
  kind: z.enum(['dm', 'group', 'channel', 'thread', 'forum']),
  chatId: z.string().min(1),
  threadId: z.string().optional(),
  scopeId: z.string().optional(),
  adapterData: z.record(z.string(), z.json()).optional(),
})

/** Makes what the house does for one plugin. */
export function createPluginServices({ id: plugin, can, leaving }: ServedPlugin, ports: ServicePorts): HostServices {
  const need = (grant: Grant): void => {
    if (can(grant)) return
    const message = `Plugin ${plugin} may not do that without the grant ${grant}: it has to ask for it in its grants, and be given it by grant().`
    throw new HermesError('grant.missing', message, { pluginId: plugin, grant })
  }
  return {
    storage: createPluginStorage(plugin, ports),

    async inject(message) {
      need('messages.inject')
      const said = read(injection, message, `host.inject() of plugin ${plugin}`)
      const args = { key: said.sessionKey, id: ports.ids.next('command'), text: said.text, by: plugin, limit: ports.waitingLimit }
      const injected = await insist(ports, 'session.inject', { ...args, at: ports.clock.now() })
      if (injected.outcome !== 'queued') return injected.outcome
      ports.onStored()
      ports.turns().wake(injected.conversation)
      return 'accepted'
    },

    async send(chat, message) {
      need('messages.send')
      const where = `host.send() of plugin ${plugin}`
      const target: RoutedChat = read(routedChat, chat, where)
      const said = read(outgoing, message, where)
      if (!ports.hasAdapter(target.adapter)) throw invalid(where, [`no plugin brings the adapter ${target.adapter}`])
      await ports.whenOpen
      const rows = ports.delivery().compose(target, said.text)
      const [first, ...others] = await insist(ports, 'outbox.add', { rows, at: ports.clock.now() })
      if (!first) throw invalid(where, ['there is nothing to show in the text'])
      ports.delivery().take([first, ...others])
      return { key: first.key }
    },

    run(request) {
      need('turns.run')
      const wanted = readRunRequest(request, `host.run() of plugin ${plugin}`)
      return ports.turns().run({ name: `plugin:${plugin}`, leaving }, wanted)
    },
  }
}

/** A request of a run, as it was when it was made. Throws `value.invalid`. */
export function readRunRequest(request: unknown, where: string): RunRequest {
  return read(runRequest, request, where)
}

async function insist<N extends StoreCommandName>(ports: ServicePorts, name: N, args: StoreCommands[N]['args']): Promise<StoreCommands[N]['result']> {
  await ports.whenOpen
  const onFailure = (error: unknown, waitMs: number): void =>
    ports.logger.warn({ command: name, waitMs, error }, 'The store did not take what a plugin wants; it is tried again.')
  return persist(ports.store, { id: ports.ids.next('command'), name, args }, { clock: ports.clock, signal: ports.signal, onFailure })
}

function read<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(
    where,
    result.error.issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)),
  )
}

function invalid(where: string, issues: readonly string[]): HermesError<'value.invalid'> {
  return new HermesError('value.invalid', `${where} refuses that: ${issues.join('; ')}.`, { where, issues })
}
