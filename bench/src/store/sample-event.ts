import type { InboundMessage } from '@hermes/plugin-sdk'

/** A message of ordinary size. */
export function sampleEvent(id: string): InboundMessage {
  return {
    kind: 'message',
    id,
    at: 1_700_000_000_000,
    chat: { platform: 'bench', kind: 'dm', chatId: '1001' },
    messageId: id,
    author: { id: '1001', name: 'Ada', isBot: false },
    text: 'What is the weather like in the town of the bridge today?',
    mentions: 'us',
  }
}
