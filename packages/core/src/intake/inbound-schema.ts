import type { InboundEvent } from '@hermes/plugin-sdk'
import { z } from 'zod'

/** A half of a surrogate pair cannot be stored: two different ids would become one. */
const id = z
  .string()
  .min(1)
  .max(512)
  .regex(/^\P{Surrogate}*$/u, 'must be well-formed text')

const chat = z.object({
  platform: z.string().min(1).max(64),
  kind: z.enum(['dm', 'group', 'channel', 'thread', 'forum']),
  chatId: id,
  threadId: id.optional(),
  scopeId: id.optional(),
  adapterData: z.record(z.string(), z.json()).optional(),
})

const author = z.object({ id, name: z.string().optional(), isBot: z.boolean() })

const shared = { id, at: z.number().finite(), chat, messageId: id, author, text: z.string() }

const inboundEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), ...shared, mentions: z.enum(['us', 'others', 'none']) }),
  z.object({ kind: z.literal('edit'), ...shared }),
])

/** Checks what an adapter hands in; what does not fit comes back as a list of what is wrong with it. */
export function checkInboundEvent(event: unknown): { readonly event: InboundEvent } | { readonly issues: readonly string[] } {
  const result = inboundEvent.safeParse(event)
  if (result.success) return { event: result.data as InboundEvent }
  return { issues: result.error.issues.map((issue) => `${issue.path.join('.') || 'event'}: ${issue.message}`) }
}
