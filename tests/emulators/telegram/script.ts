import type { Chat, LinkPreviewOptions, MessageEntity, Message, Update, User } from '@grammyjs/types'
import type { ChatRoom } from './chat-room.js'
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

/** People's side of the platform: they open chats, write, edit, and look at what is shown. */
export class Script {
  readonly #world: World
  readonly #updates: UpdateQueue
  readonly #notify: () => void
  #somebody: User | undefined

  constructor(world: World, updates: UpdateQueue, notify: () => void) {
    this.#world = world
    this.#updates = updates
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

  /** Opens a topic in a forum and gives its thread id. */
  addTopic(chat: Chat): number {
    return this.#room(chat).addTopic()
  }

  /** A person writes a text. The update that the bot gets is given back, its id is also the key of `isConfirmed`. */
  say(chat: Chat, text: string, options: SayOptions = {}): Update {
    const { from = this.#speaker(chat), replyTo, threadId, entities = detectEntities(text) } = options
    const target = this.#room(chat).find(replyTo)
    if (replyTo !== undefined && !target) throw new Error(`message ${replyTo} is not in chat ${chat.id}, so nobody can reply to it`)
    const message = this.#room(chat).add({
      from,
      date: unixTime(),
      ...(threadId !== undefined && { message_thread_id: threadId, is_topic_message: true }),
      ...(target && quoting(target)),
      ...wordsOf({ text, entities }),
    })
    return this.post({ message: message as NonNullable<Update['message']> })
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
