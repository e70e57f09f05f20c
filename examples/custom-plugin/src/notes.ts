import { defineCommand, definePlugin, defineTool, parseOptions, type Command, type NativeHandler, type Plugin, type Tool } from '@hermes/plugin-sdk'
// Knows what the native object of Telegram is; nothing of it is loaded.
import type {} from '@hermes/adapter-telegram'
import { z } from 'zod'
import { Notebook } from './notebook.js'

/** What `notes()` takes. */
export const notesOptions = z.object({
  /** Notes of one chat; beyond it the oldest goes. */
  perChat: z.int().min(1).max(50).default(20),
})
export type NotesOptions = z.input<typeof notesOptions>

/** With all notes of a chat it must fit into one value of the storage. */
const longestNote = 200

/** A plugin that keeps notes of each chat: the model writes and knows them, people see them. Throws `options.invalid`. */
export function notes(options: NotesOptions = {}): Plugin {
  const { perChat } = parseOptions(notesOptions, options, 'notes()')
  return definePlugin({
    id: 'notes',
    // What is registered here is undone when the plugin leaves; each registration can also be undone by itself.
    register(host) {
      const notebook = new Notebook(host.storage, perChat)
      host.registerTool(noteTool(notebook))
      host.registerCommand(notesCommand(notebook))
      // The model reads this behind what the person said, and never in the system prompt, which stays the same for a conversation.
      host.on('turnStart', async ({ turn }) => {
        const known = turn.chat ? await notebook.of(keyOf(turn.chat)) : []
        return known.length === 0 ? undefined : { context: `Notes of this chat:\n${listed(known)}` }
      })
      host.registerTelegramHandler(keepPinned(notebook))
    },
  })
}

/** The model calls it by itself. Its input is checked by the schema before it runs. */
function noteTool(notebook: Notebook): Tool<{ text: string }> {
  return defineTool({
    name: 'note',
    description: 'Keeps a note of this chat, for later conversations.',
    input: z.object({ text: z.string().min(1).max(longestNote).describe('One sentence.') }),
    async run({ text }, { turn }) {
      if (!turn.chat) return { parts: [{ type: 'text', text: 'There is no chat here to keep notes of.' }], isError: true }
      await notebook.add(keyOf(turn.chat), text)
      return 'The note is kept.'
    },
  })
}

/** `/notes`, for people. What it returns is sent as the reply. */
function notesCommand(notebook: Notebook): Command {
  return defineCommand({
    name: 'notes',
    description: 'Show the notes of this chat.',
    whileBusy: 'run',
    async run({ chat }) {
      const known = await notebook.of(keyOf(chat))
      return known.length === 0 ? 'There are no notes yet.' : listed(known)
    },
  })
}

/**
 * What somebody pins in Telegram becomes a note. Handlers get the platform's own object, here a grammY `Bot`, and see what comes in before
 * anybody judged whether its sender may speak: do nothing here that only some may do.
 */
function keepPinned(notebook: Notebook): NativeHandler<'telegram'> {
  return (bot, adapter) => {
    let isGone = false
    bot.on('message:pinned_message', async (context, next) => {
      const { text } = context.message.pinned_message
      if (!isGone && text) await notebook.add(keyOf({ adapter: adapter.name, chatId: String(context.chat.id) }), text.slice(0, longestNote))
      await next()
    })
    // grammY has no way to take a handler off a bot; what is returned runs when the plugin leaves or the connection ends.
    return () => {
      isGone = true
    }
  }
}

function keyOf({ adapter, chatId }: { readonly adapter: string; readonly chatId: string }): string {
  return `${adapter}/${chatId}`
}

function listed(known: readonly string[]): string {
  return known.map((note) => `- ${note}`).join('\n')
}
