import { z } from 'zod'
import { instanceName } from './instance-name.js'

const ids = z.array(z.string().min(1)).readonly()

/** What every adapter's options may say besides its own; the core reads it. Closed by default: nobody is allowed. */
export const sharedOptions = z.object({
  /** The instance name; default: the platform. Two instances of a platform need two names. */
  name: z.string().regex(instanceName, 'must be 1 to 64 characters of a-z 0-9 . _ - and begin with a letter or digit').optional(),
  /** Ids of people who may speak, in any chat. */
  allowFrom: ids.optional(),
  /** Ids of chats in which everybody may speak. */
  allowChats: ids.optional(),
  /** Everybody may speak everywhere. Said in the log and in `health()`. */
  allowAll: z.boolean().optional(),
  /** In chats of several people the bot answers only what speaks to it. Default true. */
  requireMention: z.boolean().optional(),
})

/** See `sharedOptions`. */
export type SharedOptions = z.infer<typeof sharedOptions>
