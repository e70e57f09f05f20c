import { ScriptedModel } from '@hermes/core/testing'

/** Calls the tool that a text names (`write`, `look`), once, then answers with the text it was asked. */
export function toolUsingModel(): ScriptedModel {
  return new ScriptedModel((options) => {
    const asked = options.prompt.findLastIndex((message) => message.role === 'user')
    const message = options.prompt[asked]
    const text = message?.role === 'user' ? message.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : ''
    const hasResult = options.prompt.slice(asked).some((entry) => entry.role === 'tool')
    const tool = ['write', 'look'].find((name) => text.includes(name))
    return tool && !hasResult ? [{ toolCall: { name: tool, input: {} } }] : [{ text: `answer to ${text}` }]
  })
}
