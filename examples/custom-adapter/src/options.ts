import { secret } from '@hermes/plugin-sdk'
import { z } from 'zod'

/** The options of `postbox()`; those of every adapter come on top. */
export const postboxOptions = z.object({
  /** What the postbox gave the bot. */
  token: secret(),
  /** Where the postbox is: `https://postbox.example`. */
  url: z.url(),
})

/** What `postbox()` takes, parsed. */
export type PostboxOptions = Readonly<z.output<typeof postboxOptions>>
