import type { RoutedChat } from '../../addresses.js'
import type { AdapterView } from '../../plugin.js'
import type { CommandContext } from '../../command.js'
import type { MediaStore } from '../../media.js'
import type { ToolContext } from '../../tool.js'
import type { CallId, TurnId } from '../../transcript.js'
import type { TurnRef } from '../../turns.js'

/** A chat of a platform. */
function chatOn(platform: string): RoutedChat {
  return { platform, kind: 'dm', chatId: '1', adapter: platform }
}

/** A turn in a chat, or without one. */
export function turnIn(chat: RoutedChat | undefined, signal: AbortSignal = new AbortController().signal): TurnRef {
  const place = chat && { chat, sessionKey: 'conformance:1' }
  return { id: 'turn-1' as TurnId, lane: 'conformance:1', epoch: 1, ...place, signal }
}

/** What a running tool gets. Nobody is there to be asked. */
export function toolContext(signal: AbortSignal): ToolContext {
  return {
    turn: turnIn(chatOn('conformance'), signal),
    callId: 'call-1' as CallId,
    media: createMedia(),
    signal,
    attention: new AbortController().signal,
    progress() {},
    ask: () => Promise.resolve({ kind: 'unanswered', why: 'nobody' }),
  }
}

/** What a running command gets. */
export function commandContext(args: string, signal: AbortSignal): CommandContext {
  const author = { id: '1', isBot: false }
  return { args, author, chat: chatOn('conformance'), sessionKey: 'conformance:1', signal, reply: () => Promise.resolve() }
}

/** An adapter, as a platform handler sees it. */
export function viewOf(platform: string): AdapterView {
  return { name: platform, platform, account: '1', capabilities: () => ({ text: { limit: 4_000, unit: 'utf16', dialect: 'plain' } }) }
}

function createMedia(): MediaStore {
  const shelf = new Map<string, Uint8Array>()
  return {
    async put(bytes, mediaType, name) {
      const ref = `media-${shelf.size}`
      shelf.set(ref, bytes)
      return { ref, mediaType, bytes: bytes.byteLength, name }
    },
    async get({ ref }) {
      const bytes = shelf.get(ref)
      if (!bytes) throw new Error(`there is no media ${ref}`)
      return bytes
    },
  }
}
