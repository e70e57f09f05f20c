import { z } from 'zod'
import { findIdProblem } from './immutable-id.js'
import { instanceName } from './instance-name.js'

const anyId = z.string().superRefine((id, context) => {
  const problem = findIdProblem(id)
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
})
const ids = z.array(anyId).readonly()

/**
 * What every adapter's options may say besides its own; the core reads it. Closed by default: nobody may speak, and who writes
 * to the bot gets a pairing code. Everybody is known by immutable ids alone, compared to the letter.
 */
export const sharedOptions = z.object({
  /** The instance name; default: the platform. Two instances of a platform need two names. */
  name: z.string().regex(instanceName, 'must be 1 to 64 characters of a-z 0-9 . _ - and begin with a letter or digit').optional(),
  /** Ids of people (and bots, see `allowBots`) who may speak, in any chat. */
  allowFrom: ids.optional(),
  /** Ids of chats in which everybody may speak. */
  allowChats: ids.optional(),
  /** Ids of roles whose members may speak, where the platform says who has them in that chat. */
  allowRoles: ids.optional(),
  /** Ids of people who may speak and may run every command. Without any, commands are for everybody who may speak, but for `/pair`. */
  admins: ids.optional(),
  /** Everybody may speak everywhere. Said in the log and in `health()`. */
  allowAll: z.boolean().optional(),
  /**
   * What becomes of people who may not speak and write to the bot in a direct chat: `pair` gives them a code that an admin can
   * approve, `ignore` is silence. Default `pair` while `allowFrom`, `allowChats` and `allowRoles` are not set, else `ignore`.
   */
  unknownSenders: z.enum(['pair', 'ignore']).optional(),
  /** In chats of several people the bot answers only what speaks to it. Default true. */
  requireMention: z.boolean().optional(),
  /**
   * Other bots that may speak, as people may: never (`none`, default), where they mention this bot, or always. Between two words
   * of a person, a chat's bots are heard six times in ten minutes, so that bots do not talk to each other for ever.
   */
  allowBots: z.enum(['none', 'mentions', 'all']).optional(),
})

/** See `sharedOptions`. */
export type SharedOptions = z.infer<typeof sharedOptions>

/** The lists of people and chats for a platform whose ids look like this. */
export function idListsOf(platform: string, idPattern: RegExp) {
  // Not `test`, which remembers where a global pattern matched last.
  const id = anyId.refine((text) => text.search(idPattern) >= 0, `is no id of ${platform}: must match ${idPattern}`)
  const list = z.array(id).readonly().optional()
  return { allowFrom: list, allowChats: list, admins: list }
}
