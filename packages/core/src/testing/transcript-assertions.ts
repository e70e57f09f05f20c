import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'

/** Throws where two user or two assistant messages follow each other, or a result follows no answer. For transcripts and prompts. */
export function expectAlternation(messages: readonly { readonly role: string }[]): void {
  const spoken = messages.filter((message) => message.role !== 'system')
  for (const [index, { role }] of spoken.entries()) {
    const before = spoken[index - 1]?.role
    const isFine =
      role === 'tool' ? before === 'assistant' || before === 'tool' : role === 'user' ? before !== 'user' : before === 'user' || before === 'tool'
    if (!isFine)
      throw new Error(`Message ${index} is of role ${role} and follows ${before ?? 'nothing'}: ${spoken.map((message) => message.role).join(', ')}`)
  }
}

/** Throws unless the later request begins with the bytes of the earlier one: system, tools, and all earlier messages. */
export function expectSamePrefix(earlier: LanguageModelV3CallOptions, later: LanguageModelV3CallOptions): void {
  expectSame('tools', earlier.tools, later.tools)
  for (const [index, message] of earlier.prompt.entries()) expectSame(`message ${index}`, message, later.prompt[index])
}

function expectSame(what: string, earlier: unknown, later: unknown): void {
  const [before, after] = [JSON.stringify(earlier), JSON.stringify(later)]
  if (before !== after) throw new Error(`The ${what} of the two requests differ:\n  ${before}\n  ${after}`)
}
