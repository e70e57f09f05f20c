import type { Chat, User, UserFromGetMe } from '@grammyjs/types'
import { ChatRoom, countFrom } from './chat-room.js'
import { integerOf } from './parameters.js'

/** Of a supergroup or channel. Number 1 is its beginning; in a forum that is the first topic. */
const firstNumber = 2

/** The bot, the people and the chats. Ids look like the platform's: a private chat has its person's id, groups have negative ones. */
export class World {
  readonly me: UserFromGetMe
  readonly #rooms = new Map<number, ChatRoom>()
  readonly #sharedNumbers = countFrom(1)
  #nextId = 1001

  constructor(bot: { id: number; username: string }) {
    this.me = {
      id: bot.id,
      is_bot: true,
      first_name: 'Test bot',
      username: bot.username,
      can_join_groups: true,
      can_read_all_group_messages: true,
      supports_inline_queries: false,
      can_connect_to_business: false,
      has_main_web_app: false,
      has_topics_enabled: false,
      allows_users_to_create_topics: false,
      can_manage_bots: false,
      supports_join_request_queries: false,
    }
  }

  /** A new person; `id` only where a test needs a certain one. */
  addUser(more: Partial<User> = {}): User {
    const id = more.id ?? this.#takeId()
    return { id, is_bot: false, first_name: `Person ${id}`, ...more }
  }

  /** The private chat of a person with the bot; the same one each time. */
  privateRoom(user: User): ChatRoom {
    const { id, first_name, username } = user
    return this.#rooms.get(id) ?? this.#open({ id, type: 'private', first_name, ...(username !== undefined && { username }) })
  }

  /** A small group. */
  addGroup(title: string): ChatRoom {
    return this.#open({ id: -this.#takeId(), type: 'group', title })
  }

  /** A supergroup, with topics when it is a forum. */
  addSupergroup(title: string, isForum: boolean): ChatRoom {
    return this.#open({ id: -1_000_000_000_000 - this.#takeId(), type: 'supergroup', title, ...(isForum && { is_forum: true }) })
  }

  /** A channel whose posts the bot gets. */
  addChannel(title: string): ChatRoom {
    return this.#open({ id: -1_000_000_000_000 - this.#takeId(), type: 'channel', title })
  }

  /** The chat of a `chat_id` parameter, number or text. */
  room(chatId: unknown): ChatRoom | undefined {
    return this.#rooms.get(integerOf(chatId) ?? 0)
  }

  #open(chat: Chat): ChatRoom {
    const room = new ChatRoom(chat, chat.type === 'supergroup' || chat.type === 'channel' ? countFrom(firstNumber) : this.#sharedNumbers)
    this.#rooms.set(chat.id, room)
    return room
  }

  #takeId(): number {
    return this.#nextId++
  }
}
