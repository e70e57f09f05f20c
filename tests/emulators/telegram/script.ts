import type { Chat, LinkPreviewOptions, MessageEntity, Message, Update, User } from '@grammyjs/types'
import type { CallbackQueries } from './callback-queries.js'
import type { ChatRoom } from './chat-room.js'
import type { FileFacts, FileShelf } from './file-shelf.js'
import { quoting, wordsOf } from './message-methods.js'
import { detectEntities } from './message-text.js'
import { unixTime } from './unix-time.js'
import type { UpdateQueue } from './update-queue.js'
import type { World } from './world.js'

/** What a person may add to a text. */
export interface SayOptions {
  /** Default: the person of the private chat; in a group one and the same person for all. */
  from?: User | undefined
  /** Id of a message of this chat. */
  replyTo?: number | undefined
  /** A topic, see `addTopic`. */
  threadId?: number | undefined
  /** Default: the commands and mentions in the text, as the real server marks them. */
  entities?: MessageEntity[] | undefined
}

/** One message as people see it now. */
export interface ShownMessage {
  readonly id: number
  readonly isBot: boolean
  readonly text: string
  readonly entities: readonly MessageEntity[]
  readonly isEdited: boolean
  readonly replyTo?: number | undefined
  readonly threadId?: number | undefined
  readonly linkPreview?: LinkPreviewOptions | undefined
}

/** What people's acts change. */
export interface Stage {
  readonly world: World
  readonly updates: UpdateQueue
  readonly files: FileShelf
  readonly queries: CallbackQueries
}

/** People's side of the platform: they open chats, write, edit, and look at what is shown. */
export class Script {
  readonly #world: World
  readonly #updates: UpdateQueue
  readonly #notify: () => void
  #somebody: User | undefined

  readonly #stage: Stage
  readonly #reactions = new Map<string, readonly string[]>()

  constructor(stage: Stage, notify: () => void) {
    this.#stage = stage
    this.#world = stage.world
    this.#updates = stage.updates
    this.#notify = notify
  }

  /** A new person; members that a test does not care about are filled in. */
  addUser(more?: Partial<User>): User {
    return this.#world.addUser(more)
  }

  /** The private chat of a person with the bot, by default of a new person. */
  addPrivateChat(user: User = this.addUser()): Chat {
    return this.#world.privateRoom(user).chat
  }

  /** A small group with the bot in it. */
  addGroup(title = 'Group'): Chat {
    return this.#world.addGroup(title).chat
  }

  /** A supergroup with the bot in it; a forum has topics. */
  addSupergroup(options: { title?: string | undefined; isForum?: boolean | undefined } = {}): Chat {
    return this.#world.addSupergroup(options.title ?? 'Supergroup', options.isForum ?? false).chat
  }

  /** A channel whose posts the bot gets. */
  addChannel(title = 'Channel'): Chat {
    return this.#world.addChannel(title).chat
  }

  /** Opens a topic in a forum and gives its thread id. */
  addTopic(chat: Chat): number {
    return this.#room(chat).addTopic()
  }

  /** A person writes a text. The update that the bot gets is given back, its id is also the key of `isConfirmed`. */
  say(chat: Chat, text: string, options: SayOptions = {}): Update {
    return this.share(chat, wordsOf({ text, entities: options.entities ?? detectEntities(text) }), options)
  }

  /** A person shows something: a photo, a place, also what only Telegram itself says. A channel has no person: it posts. */
  share(chat: Chat, content: Partial<Message>, options: Omit<SayOptions, 'entities'> = {}): Update {
    const { replyTo, threadId } = options
    const target = this.#room(chat).find(replyTo)
    if (replyTo !== undefined && !target) throw new Error(`message ${replyTo} is not in chat ${chat.id}, so nobody can reply to it`)
    const author = chat.type === 'channel' ? { sender_chat: chat } : { from: options.from ?? this.#speaker(chat) }
    const message = this.#room(chat).add({
      ...author,
      date: unixTime(),
      ...(threadId !== undefined && { message_thread_id: threadId, is_topic_message: true }),
      ...(target && quoting(target)),
      ...content,
    })
    return this.post({ [chat.type === 'channel' ? 'channel_post' : 'message']: message })
  }

  /** A person sends a file: what messages say of it. `claimedSize`: another size than it has. */
  addFile(bytes: Uint8Array, claimedSize?: number): FileFacts {
    return this.#stage.files.add(bytes, claimedSize)
  }

  /** A person presses a button below a message of this chat. The id of the press is that of `isWaiting`. */
  press(chat: Chat, messageId: number, data: string, from: User = this.#speaker(chat)): Update & { callback_query: { id: string } } {
    const message = this.#room(chat).find(messageId)
    const id = this.#stage.queries.open()
    const query = { id, from, chat_instance: String(chat.id), data, ...(message && { message }) }
    return this.post({ callback_query: query }) as Update & { callback_query: { id: string } }
  }

  /** Does the pressed button still show that it waits? */
  isWaiting(queryId: string): boolean {
    return this.#stage.queries.isOpen(queryId)
  }

  /** A person's reactions to a message are these now. */
  react(chat: Chat, messageId: number, emojis: readonly string[], from: User = this.#speaker(chat)): Update {
    const key = `${chat.id} ${messageId} ${from.id}`
    const toReactions = (list: readonly string[]): object[] => list.map((emoji) => ({ type: 'emoji', emoji }))
    const before = this.#reactions.get(key) ?? []
    this.#reactions.set(key, emojis)
    const change = { chat, message_id: messageId, user: from, date: unixTime() }
    return this.post({ message_reaction: { ...change, old_reaction: toReactions(before), new_reaction: toReactions(emojis) } })
  }

  /** A group becomes a supergroup under another id; both chats are told, and sends to the old one are refused. */
  migrate(chat: Chat): Chat {
    const supergroup = this.addSupergroup({ title: chat.title })
    this.share(chat, { migrate_to_chat_id: supergroup.id })
    this.#room(chat).movedTo = supergroup.id
    this.share(supergroup, { migrate_from_chat_id: chat.id })
    return supergroup
  }

  /** A person changes what was written. */
  edit(chat: Chat, messageId: number, text: string): Update {
    const message = this.#room(chat).find(messageId)
    if (!message) throw new Error(`message ${messageId} is not in chat ${chat.id}, so nobody can edit it`)
    const { text: _text, entities: _entities, ...rest } = message
    const edited: Message = { ...rest, ...wordsOf({ text, entities: detectEntities(text) }), edit_date: unixTime() }
    this.#room(chat).replace(edited)
    return this.post({ edited_message: edited as NonNullable<Update['edited_message']> })
  }

  /** Queues any update, also a malformed one. `update_id` is given unless it is there. */
  post(update: object): Update {
    const queued = this.#updates.push(update)
    this.#notify()
    return queued
  }

  /** Everything in a chat as people see it now, oldest first. */
  shown(chat: Chat): readonly ShownMessage[] {
    return this.#room(chat).messages.map((message) => ({
      id: message.message_id,
      isBot: message.from?.id === this.#world.me.id,
      text: message.text ?? '',
      entities: message.entities ?? [],
      isEdited: message.edit_date !== undefined,
      replyTo: message.reply_to_message?.message_id,
      threadId: message.message_thread_id,
      linkPreview: message.link_preview_options,
    }))
  }

  /** The texts of the bot in a chat, oldest first. */
  answers(chat: Chat): readonly string[] {
    return this.shown(chat).flatMap((message) => (message.isBot ? [message.text] : []))
  }

  #room(chat: Chat): ChatRoom {
    const room = this.#world.room(chat.id)
    if (!room) throw new Error(`chat ${chat.id} is not of this emulator`)
    return room
  }

  #speaker(chat: Chat): User {
    if (chat.type === 'private')
      return { id: chat.id, is_bot: false, first_name: chat.first_name, ...(chat.username !== undefined && { username: chat.username }) }
    return (this.#somebody ??= this.addUser())
  }
}
