import type { InboundEvent, JsonObject } from '@hermes/plugin-sdk'
import { z } from 'zod'
import { findDataIssue } from './plain-data.js'

/** UTF-16 units of one text: far beyond what any platform takes, and little enough for a row. */
const textLimit = 4 * 1024 * 1024
/** Attachments, pieces of context, roles and deleted messages of one event. */
const listLimit = 200
/** Objects inside each other in the plain data of an adapter. */
const dataDepth = 16

/** A half of a surrogate pair cannot be stored: two different ids would become one. */
const id = z
  .string()
  .min(1)
  .max(512)
  .regex(/^\P{Surrogate}*$/u, 'must be well-formed text')
const name = z.string().max(1024)
const text = z.string().max(textLimit)

function data(size: number): z.ZodType<JsonObject> {
  return z.custom<JsonObject>().check((context) => {
    const isObject = typeof context.value === 'object' && context.value !== null && !Array.isArray(context.value)
    const issue = isObject ? findDataIssue(context.value, { depth: dataDepth, size }) : 'must be an object'
    if (issue !== undefined) context.issues.push({ code: 'custom', input: context.value, message: issue })
  })
}

const chat = z.object({
  platform: z.string().min(1).max(64),
  kind: z.enum(['dm', 'group', 'channel', 'thread', 'forum']),
  chatId: id,
  threadId: id.optional(),
  scopeId: id.optional(),
  adapterData: data(2048).optional(),
})

const author = z.object({
  id,
  name: name.optional(),
  language: z.string().max(64).optional(),
  isBot: z.boolean(),
  roles: z.array(id).max(listLimit).optional(),
})

const attachment = z.object({
  kind: z.enum(['image', 'audio', 'voice', 'video', 'document']),
  ref: data(4096),
  name: name.optional(),
  mime: z.string().max(256).optional(),
  size: z.number().int().min(0).optional(),
})

const shared = {
  id,
  at: z.number().finite(),
  chat,
  names: z.object({ chat: name.optional(), thread: name.optional(), topic: name.optional() }).optional(),
}

const inboundEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    ...shared,
    messageId: id,
    author,
    text,
    mentions: z.enum(['us', 'others', 'none']),
    attachments: z.array(attachment).max(listLimit).optional(),
    replyTo: z.object({ messageId: id, text: text.optional(), author: author.optional() }).optional(),
    context: z.array(text).max(listLimit).optional(),
    join: z.object({ key: id, quietMs: z.number().int().min(0).max(10_000) }).optional(),
  }),
  z.object({ kind: z.literal('edit'), ...shared, messageId: id, author, text }),
  z.object({ kind: z.literal('delete'), ...shared, messageIds: z.array(id).min(1).max(listLimit), author: author.optional() }),
  z.object({ kind: z.literal('command'), ...shared, author, name: id.max(64), args: text }),
  z.object({ kind: z.literal('choice'), ...shared, author, promptId: id, optionId: id, messageId: id.optional() }),
  z.object({ kind: z.literal('reaction'), ...shared, author, messageId: id, emoji: id.max(128), isRemoved: z.boolean() }),
  z.object({ kind: z.literal('notice'), ...shared, name: id.max(64), author: author.optional(), data: data(16_384) }),
])

/** Checks what an adapter hands in; what does not fit comes back as a list of what is wrong with it. Never throws. */
export function checkInboundEvent(event: unknown): { readonly event: InboundEvent } | { readonly issues: readonly string[] } {
  try {
    const result = inboundEvent.safeParse(event)
    if (result.success) return { event: result.data }
    return { issues: result.error.issues.map((issue) => `${issue.path.join('.') || 'event'}: ${issue.message}`) }
  } catch {
    return { issues: ['event: could not be read'] }
  }
}
