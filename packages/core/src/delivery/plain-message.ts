import type { OutboundMessage } from '@hermes/plugin-sdk'

/**
 * The message as plain text, for whoever cannot show Markdown. Its parser is more than half of all modules of hermes, and most
 * platforms never need it: it is loaded with the first such message.
 */
export async function toPlain(message: OutboundMessage): Promise<OutboundMessage> {
  if (message.format === 'plain') return message
  const { stripMarkdown } = await import('./strip-markdown.js')
  return { ...message, format: 'plain', text: stripMarkdown(message.text) }
}
