import type { Adapter, NativeOf, PlatformNatives } from './adapter.js'
import type { ChatAddress, RoutedChat } from './addresses.js'
import type { ChatCapabilities } from './capabilities.js'
import type { Command } from './command.js'
import type { Grant } from './grants.js'
import type { HookName, HookTap } from './hooks.js'
import type { Awaitable } from './json.js'
import type { Run, RunRequest } from './runs.js'
import type { Secret } from './secret.js'
import type { Clock, Logger, Registration } from './services.js'
import type { SharedOptions } from './shared-options.js'
import type { PluginStorage } from './storage.js'
import type { Tool } from './tool.js'

/**
 * What a plugin may do with its host. Everything that registers is undone in reverse order when the plugin leaves. A plugin has at most 1000
 * registrations at once, and whatever registers throws `value.invalid` beyond that.
 */
export interface HostApi {
  readonly pluginId: string
  readonly logger: Logger
  readonly clock: Clock
  readonly storage: PluginStorage
  /** `create` makes a new object for every attempt to connect. Throws `name.taken`. */
  registerPlatform<P extends string>(platform: PlatformRegistration<P>): Registration
  /**
   * Hands every native object of a platform to `wire` before its adapter dispatches: each once, those of later connections as well; a
   * plugin that comes late gets the live one. It has 5 s; one that throws or hangs breaks no connect. Throws `value.invalid`.
   */
  registerPlatformHandler<P extends PlatformName>(platform: P, wire: NativeHandler<P>): Registration
  /** `registerPlatformHandler('telegram', wire)`. */
  registerTelegramHandler(wire: NativeHandler<'telegram'>): Registration
  /**
   * Throws `name.taken` or `value.invalid`. With the grant `tools.override` it takes the place of another plugin's tool of that name; when it
   * leaves, the other one is back.
   */
  registerTool<Input>(tool: Tool<Input>): Registration
  /** Throws `name.taken` or `value.invalid`. */
  registerCommand(command: Command): Registration
  /**
   * Hangs a tap onto a hook. Taps of a lower `stage` (default 0) run first; with `platform` it is called for chats of that platform only.
   * A name that no hook has is warned of and kept. Throws `value.invalid` for a tap of a wrong shape, and for more taps than a plugin
   * may have (256).
   */
  on<N extends HookName>(name: N, tap: HookTap<N>, options?: HookOptions): Registration
  /** Was this plugin given the right? Only those that its `grants` ask for can be. */
  can(grant: Grant): boolean
  /**
   * Says something into a conversation, which answers it when its turn comes: never read as a command, never shown to `preDispatch`. `accepted`:
   * it is stored; `no-session`: nobody has spoken under this key yet; `full`: as many as may wait there do. Needs the grant
   * `messages.inject`. Rejects with `grant.missing`, `value.invalid` for more than 100 000 characters or none, `stopped`.
   */
  inject(message: InjectedMessage): Promise<'accepted' | 'no-session' | 'full'>
  /**
   * Writes into a chat, markdown, in order with all else there. Resolves when it is stored: it goes out also after a restart. `key` names its
   * first piece, as in `deliveryOutcome`. Needs the grant `messages.send`. Rejects with `grant.missing`, `stopped`, or `value.invalid` for
   * a chat whose adapter no plugin brings, and for more than 100 000 characters or none.
   */
  send(chat: RoutedChat, message: { readonly text: string }): Promise<{ readonly key: string }>
  /**
   * Has the agent answer something: as the next turn of a session, or apart from all of them. The answer comes back here and is shown in no
   * chat. What runs when the plugin leaves is ended. Needs the grant `turns.run`. Throws `grant.missing`, `value.invalid` for a
   * request of a wrong shape or more than 100 000 characters of input or none, `stopped`.
   */
  run(request: RunRequest): Run
  /** Runs when the plugin leaves, in its turn. */
  onStop(undo: () => Awaitable<void>): Registration
  /** From now on its value appears in no log, error or chat. Those in an adapter's options are found by the core. */
  redact(secret: Secret): Registration
}

/** What a plugin says into a conversation. */
export interface InjectedMessage {
  readonly sessionKey: string
  readonly text: string
  /** `queue`, the default: it waits behind what runs and waits there already. */
  readonly whileBusy?: 'queue' | undefined
}

/** The name of a platform; those whose packages are imported are known to the editor. */
// oxlint-disable-next-line typescript/no-redundant-type-constituents -- it is not empty where a platform's package is imported
export type PlatformName = keyof PlatformNatives | (string & {})

/**
 * Wires a plugin onto the native object of a platform, such as a grammY `Bot`. It may answer with its undo, which runs when the
 * plugin leaves or the connection ends; what has no undo stays on the object for as long as that lives.
 */
export type NativeHandler<P extends string> = (native: NativeOf<P>, adapter: AdapterView) => Awaitable<void | (() => void)>

/** An adapter, to be read. */
export interface AdapterView {
  /** Instance name. */
  readonly name: string
  readonly platform: string
  readonly account?: string | undefined
  capabilities(chat: ChatAddress): ChatCapabilities
}

/** Where and when a tap is called. */
export interface HookOptions {
  readonly stage?: number | undefined
  readonly platform?: PlatformName | undefined
}

/** A platform that a plugin brings. */
export interface PlatformRegistration<P extends string = string> {
  readonly platform: P
  /** The parsed options, whole: the core reads the shared ones and finds the secrets in the rest. */
  readonly options: SharedOptions
  create(): Adapter<P>
}

/** What `definePlugin` takes. */
export interface PluginDefinition {
  /** Lower case, 1 to 64 characters of `a-z 0-9 . _ -`, begins with a letter or digit. */
  readonly id: string
  /**
   * Ids of plugins that must have registered before this one; it fails where one of them is not there. Only its coming in asks for them: a
   * plugin stays when one that it required leaves.
   */
  readonly requires?: readonly string[] | undefined
  /** The rights that it asks for: whoever composes the gateway gives them, or does without the plugin. */
  readonly grants?: readonly Grant[] | undefined
  register(host: HostApi): Awaitable<void>
}

/** A plugin. `contract` is the version of this package's contract that it was written for. */
export interface Plugin extends PluginDefinition {
  readonly contract: 1
}
