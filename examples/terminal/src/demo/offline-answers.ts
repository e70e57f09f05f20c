import type { JsonObject } from '@hermes/plugin-sdk'

/** A prompt, as far as the offline model reads it. */
export interface OfflinePrompt {
  readonly role: string
  readonly content: string | readonly { readonly type: string; readonly text?: string; readonly toolName?: string; readonly output?: unknown }[]
}

/** What the offline model does next. */
export type OfflineStep = { readonly text: string } | { readonly toolName: string; readonly input: JsonObject }

const ability =
  'I am a small offline model. Ask me for the time, for a sum like 19 + 23, for a roll of the dice, what you said first, or for a long answer.'

/** Answers by a few patterns, so that the demo needs no key. The same prompt always gets the same step. */
export function answerOffline(prompt: readonly OfflinePrompt[]): OfflineStep {
  const said = prompt.filter((message) => message.role === 'user').map(textOf)
  const last = prompt.at(-1)
  if (last?.role === 'tool') return { text: sayResult(last) }
  const question = said.at(-1) ?? ''
  return chooseTool(question) ?? { text: chooseText(question, said) }
}

function chooseTool(question: string): OfflineStep | undefined {
  const sum = /(-?\d+(?:\.\d+)?)\s*(?:\+|plus)\s*(-?\d+(?:\.\d+)?)/i.exec(question)
  if (sum) return { toolName: 'add', input: { left: Number(sum[1]), right: Number(sum[2]) } }
  if (/\b(?:time|date|clock)\b/i.test(question)) return { toolName: 'clock', input: {} }
  if (/\b(?:dice|die|roll)\b/i.test(question)) return { toolName: 'dice', input: { sides: 6 } }
  return undefined
}

function chooseText(question: string, said: readonly string[]): string {
  if (/\bfirst\b/i.test(question))
    return said.length > 1 ? `The first thing you said was “${said[0]}”.` : 'This is the first thing you say to me here.'
  if (/\blong\b/i.test(question)) return longAnswer()
  if (/^\W*(?:hi|hello|hey)\b/i.test(question)) return `Hello! ${ability}`
  return `You said “${question}”. ${ability}`
}

/** Longer than one message of most platforms, with code that must not be torn apart. */
function longAnswer(): string {
  const chapter = (number: number): string =>
    `**Chapter ${number}.** A long answer is cut where it hurts least, and a block of code is closed and opened again around the cut.\n\n` +
    `\`\`\`ts\n${Array.from({ length: 20 }, (_, line) => `const line${line} = ${number} * ${line}`).join('\n')}\n\`\`\``
  return Array.from({ length: 17 }, (_, index) => chapter(index + 1)).join('\n\n')
}

const resultSentences: { readonly [tool: string]: (result: string) => string } = {
  add: (result) => `That makes ${result}.`,
  clock: (result) => `It is ${result}.`,
  dice: (result) => `You rolled a ${result}.`,
}

function sayResult({ content }: OfflinePrompt): string {
  const result = typeof content === 'string' ? undefined : content.at(-1)
  const text = textOfOutput(result?.output)
  return resultSentences[result?.toolName ?? '']?.(text) ?? text
}

function textOfOutput(output: unknown): string {
  const value: unknown = typeof output === 'object' && output !== null && 'value' in output ? output.value : output
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function textOf({ content }: OfflinePrompt): string {
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
}
