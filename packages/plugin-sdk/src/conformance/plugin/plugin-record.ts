import type { Command } from '../../command.js'
import type { Grant } from '../../grants.js'
import type { HostApi, NativeHandler } from '../../plugin.js'
import type { Run } from '../../runs.js'
import type { Log, Logger, Registration } from '../../services.js'
import type { Tool } from '../../tool.js'
import { turnIn } from './hosts-side.js'

/** A tap that a plugin hung onto a hook; the name may be none that there is. */
export interface RecordedTap {
  readonly hook: string
  readonly platform: string | undefined
  readonly call: (payload: object, context: { readonly signal: AbortSignal }) => unknown
}

/** A handler for the native object of a platform. */
export interface RecordedHandler {
  readonly platform: string
  readonly wire: NativeHandler<string>
}

/** What one load of a plugin registered and said. What it disposed by itself is not in it any more. */
export class PluginRecord {
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has an input of its own
  readonly tools = new Set<Tool<any>>()
  readonly commands = new Set<Command>()
  readonly taps = new Set<RecordedTap>()
  readonly handlers = new Set<RecordedHandler>()
  readonly platforms = new Set<string>()
  /** Fields and text of every line that it logged. */
  readonly log: unknown[] = []
  /** What its undoing threw. */
  readonly undoFailures: unknown[] = []
  /** Undoing that began and did not end. */
  openUndos = 0
  /** What it registered when it was told to leave. */
  readonly late: string[] = []
  isLeaving = false

  /** Kinds and names of all that it brought, sorted. */
  get names(): readonly string[] {
    return [
      ...[...this.tools].map(({ name }) => `tool ${name}`),
      ...[...this.commands].map(({ name }) => `command ${name}`),
      ...[...this.taps].map(({ hook }) => `tap of ${hook}`),
      ...[...this.handlers].map(({ platform }) => `handler of ${platform}`),
      ...[...this.platforms].map((name) => `platform ${name}`),
    ].toSorted()
  }
}

/** The host, and all that a plugin does with it written down. What would go out to people goes nowhere. */
export function recordingHost(host: HostApi, record: PluginRecord, grants: readonly Grant[]): HostApi {
  const enter = <T>(kept: { readonly set: Set<T>; readonly entry: T; readonly what: string }, register: () => Registration): Registration => {
    if (record.isLeaving) record.late.push(kept.what)
    const registered = register()
    kept.set.add(kept.entry)
    const dispose = (): void => {
      kept.set.delete(kept.entry)
      registered.dispose()
    }
    return { dispose, [Symbol.dispose]: dispose }
  }
  const handle: HostApi['registerPlatformHandler'] = (platform, wire) => {
    const entry = { platform, wire: wire as NativeHandler<string> }
    return enter({ set: record.handlers, entry, what: `handler of ${platform}` }, () => host.registerPlatformHandler(platform, wire))
  }
  return {
    pluginId: host.pluginId,
    logger: recordingLogger(host.logger, record),
    clock: host.clock,
    storage: host.storage,
    registerPlatform(platform) {
      const entry = platform.options.name ?? platform.platform
      return enter({ set: record.platforms, entry, what: `platform ${entry}` }, () => host.registerPlatform(platform))
    },
    registerPlatformHandler: handle,
    registerTelegramHandler: (wire) => handle('telegram', wire),
    registerTool: (tool) => enter({ set: record.tools, entry: tool, what: `tool ${tool.name}` }, () => host.registerTool(tool)),
    registerCommand(command) {
      return enter({ set: record.commands, entry: command, what: `command ${command.name}` }, () => host.registerCommand(command))
    },
    on(name, tap, options) {
      const call = tap as unknown as RecordedTap['call']
      const entry = { hook: name, platform: options?.platform, call }
      return enter({ set: record.taps, entry, what: `tap of ${name}` }, () => host.on(name, tap, options))
    },
    onStop(undo) {
      if (record.isLeaving) record.late.push('onStop')
      return host.onStop(() => recordedUndo(undo, record))
    },
    can: (grant) => host.can(grant),
    redact: (secret) => host.redact(secret),
    inject: async (message) => (grants.includes('messages.inject') ? 'accepted' : host.inject(message)),
    send: async (chat, message) => (grants.includes('messages.send') ? { key: 'k'.repeat(24) } : host.send(chat, message)),
    run: (request) => (grants.includes('turns.run') ? playedRun() : host.run(request)),
  }
}

/** A run whose agent said one word. */
function playedRun(): Run {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  return {
    turn: Promise.resolve(turnIn(undefined)),
    events: { async *[Symbol.asyncIterator]() {} },
    result: Promise.resolve({ status: 'completed', text: 'Done.', steps: 1, usage }),
    answer: () => false,
  }
}

async function recordedUndo(undo: Parameters<HostApi['onStop']>[0], record: PluginRecord): Promise<void> {
  record.openUndos++
  try {
    await undo()
  } catch (error) {
    record.undoFailures.push(error)
    throw error
  } finally {
    record.openUndos--
  }
}

function recordingLogger(logger: Logger, record: PluginRecord): Logger {
  const write =
    (level: keyof Logger): Log =>
    (fields, message) => {
      record.log.push([fields, message])
      logger[level](fields, message)
    }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
