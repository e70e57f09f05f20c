import type { LengthUnit } from './text-length.js'

/** What one chat can take. Asked for every piece: most adapters return a constant. */
export interface ChatCapabilities {
  readonly text: {
    /** The longest text of one message, in `unit`; `Infinity` where there is no limit. */
    readonly limit: number
    readonly unit: LengthUnit
    /** `plain`: the core strips the formatting before it sends. */
    readonly dialect: 'plain' | 'markdown' | (string & {})
  }
  /** `message`: the stream becomes the message. Default: answers are sent when they are complete. */
  readonly stream?: { readonly kind: 'message' } | undefined
}
