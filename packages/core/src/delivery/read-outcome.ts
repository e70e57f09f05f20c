import type { RejectReason, SendOutcome } from '@hermes/plugin-sdk'
import { z } from 'zod'

const address = z.object({
  platform: z.string(),
  kind: z.enum(['dm', 'group', 'channel', 'thread', 'forum']),
  chatId: z.string(),
  threadId: z.string().optional(),
  scopeId: z.string().optional(),
  adapterData: z.record(z.string(), z.json()).optional(),
})
const chat = address.optional().catch(undefined)
const detail = z.string().catch('')

/** How a call ended is believed wherever it is said at all; what merely belongs to it is left out where it has the wrong shape. */
const outcome = z.discriminatedUnion('status', [
  z.object({ status: z.literal('sent'), ids: z.array(z.string()).catch([]), chat }),
  z.object({
    status: z.literal('rejected'),
    reason: z.custom<RejectReason>((value) => typeof value === 'string'),
    detail,
    retryAfterMs: z.number().optional().catch(undefined),
    movedTo: chat,
    cause: z.unknown().optional(),
  }),
  z.object({ status: z.literal('unknown'), detail, cause: z.unknown().optional() }),
])

/** Reads what an adapter answered. `undefined`: it is no outcome. */
export function readOutcome(value: unknown): SendOutcome | undefined {
  return outcome.safeParse(value).data
}
