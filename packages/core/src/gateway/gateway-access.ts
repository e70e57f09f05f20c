import type { Author, RoutedChat } from '@hermes/plugin-sdk'
import type { Access, PairingApproval, PairingChoice, PairingList } from '../access/index.js'

/**
 * Who may speak, beside the lists in the options of the adapters. Somebody unknown who writes to a bot in pairing mode is shown a code of
 * eight characters. It is good for an hour; three people of an instance have one at once, each person gets one in ten minutes, and five
 * wrong codes in a row lock the instance for an hour. An admin approves it in a chat with `/pair <code>`, the application here.
 *
 * All reject with an error of the store, and with `stopped` while it is not open.
 */
export interface GatewayAccess {
  /** Who waits with a code, and who was let in. Codes are never told. */
  list(): Promise<PairingList>
  /** Lets in who was shown this code, or this person who waits: `locked` is for codes alone. */
  approve(choice: PairingChoice): Promise<PairingApproval>
  /** Takes an admission or an open code back; answers whether there was one. What runs goes on. */
  revoke(person: { readonly adapter: string; readonly userId: string }): Promise<boolean>
  /** May this person act in this chat? The judgement of every event, for what only the platform's native object knows of. */
  allows(chat: RoutedChat, author: Author): boolean
}

/** The access as an application sees it. */
export function createGatewayAccess(access: Pick<Access, 'pairing' | 'judge'>): GatewayAccess {
  const { pairing } = access
  return {
    list: () => pairing.list(),
    approve: (choice) => pairing.approve(choice),
    revoke: ({ adapter, userId }) => pairing.revoke(adapter, userId),
    allows: (chat, author) => access.judge(chat.adapter, { kind: 'native', chat, author })?.isAllowed ?? false,
  }
}
