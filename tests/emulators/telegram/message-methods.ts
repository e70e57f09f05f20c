import type { ApiError, Message } from '@grammyjs/types'
import { accepted, badRequest, refusals, refused } from './api-reply.js'
import type { ApiReply } from './api-reply.js'
import type { ChatRoom } from './chat-room.js'
import { isRefusal, readMessageText } from './message-text.js'
import type { MessageText } from './message-text.js'
import { integerOf, isTrue, objectOf } from './parameters.js'
import type { Payload } from './payload-reader.js'
import { unixTime } from './unix-time.js'
import type { World } from './world.js'

const chatActions = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
])

/** Shows a text in a chat. The answer is the message as people see it. */
export function sendMessage(world: World, payload: Payload): ApiReply {
  const room = roomOf(world, payload)
  if (isRefusal(room)) return room
  const text = readMessageText(payload)
  if (isRefusal(text)) return text
  const thread = threadOf(room, payload)
  if (isRefusal(thread)) return thread
  const reply = replyOf(room, payload)
  if (isRefusal(reply)) return reply
  const preview = objectOf(payload['link_preview_options'])
  return accepted(
    room.add({ from: world.me, date: unixTime(), ...thread, ...reply, ...wordsOf(text), ...(preview && { link_preview_options: preview }) }),
  )
}

/** Changes a text of the bot in its place. */
export function editMessageText(world: World, payload: Payload): ApiReply {
  const room = roomOf(world, payload)
  if (isRefusal(room)) return room
  const message = room.find(integerOf(payload['message_id']))
  if (!message) return refusals.editGone
  if (message.from?.id !== world.me.id) return badRequest("message can't be edited")
  const text = readMessageText(payload)
  if (isRefusal(text)) return text
  if (isSame(message, text)) return refusals.notModified
  const { text: _text, entities: _entities, ...rest } = message
  const edited: Message = { ...rest, ...wordsOf(text), edit_date: unixTime() }
  room.replace(edited)
  return accepted(edited)
}

/** Takes a message away, whoever wrote it. */
export function deleteMessage(world: World, payload: Payload): ApiReply {
  const room = roomOf(world, payload)
  if (isRefusal(room)) return room
  return room.remove(integerOf(payload['message_id']) ?? 0) ? accepted(true) : refusals.deleteGone
}

/** Shows "is typing" and the like. Only the ledger tells that it was there. */
export function sendChatAction(world: World, payload: Payload): ApiReply {
  const room = roomOf(world, payload)
  if (isRefusal(room)) return room
  const action = payload['action']
  return typeof action === 'string' && chatActions.has(action) ? accepted(true) : badRequest('wrong parameter action in request')
}

function roomOf(world: World, payload: Payload): ChatRoom | ApiError {
  const chatId = payload['chat_id']
  const room = world.room(chatId)
  if (room?.movedTo !== undefined)
    return refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: room.movedTo })
  if (room) return room
  return chatId === undefined || chatId === '' ? badRequest('chat_id is empty') : refusals.chatGone
}

function threadOf(room: ChatRoom, payload: Payload): Pick<Message, 'message_thread_id' | 'is_topic_message'> | ApiError {
  const threadId = integerOf(payload['message_thread_id'])
  if (threadId === undefined || threadId === 0) return {}
  return room.hasThread(threadId) ? { message_thread_id: threadId, is_topic_message: true } : refusals.threadGone
}

function replyOf(room: ChatRoom, payload: Payload): Pick<Message, 'reply_to_message'> | ApiError {
  const reply = objectOf(payload['reply_parameters'])
  if (!reply) return {}
  const target = room.find(integerOf(reply['message_id']))
  if (!target) return isTrue(reply['allow_sending_without_reply']) ? {} : refusals.replyGone
  return quoting(target)
}

/** A message that is answered is shown without the one that it answers itself. */
export function quoting(target: Message): Pick<Message, 'reply_to_message'> {
  const { reply_to_message: _, ...rest } = target
  return { reply_to_message: rest as NonNullable<Message['reply_to_message']> }
}

/** The members of a message that hold a text; no `entities` when there are none. */
export function wordsOf({ text, entities }: MessageText): Pick<Message, 'text' | 'entities'> {
  return entities.length > 0 ? { text, entities } : { text }
}

function isSame(message: Message, { text, entities }: MessageText): boolean {
  return message.text === text && JSON.stringify(message.entities ?? []) === JSON.stringify(entities)
}
