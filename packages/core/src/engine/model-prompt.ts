import { createHash } from 'node:crypto'
import type { LanguageModelV3Message, LanguageModelV3Prompt, LanguageModelV3ToolResultPart, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { AssistantMessage, MediaPart, Message, New, Replay, ToolMessage, UserMessage } from '@hermes/plugin-sdk'
import { textOf } from './transcript.js'

type Content<R extends LanguageModelV3Message['role']> = Exclude<Extract<LanguageModelV3Message, { role: R }>['content'], string>

/** What is sent of a message beside its words. */
export interface SentBeside {
  /** Whose replay data are sent; `undefined`: nobody's. */
  readonly issuer: string | undefined
  /** Bytes of the images that are shown, by reference: those of people, and of results where the provider takes any there. */
  readonly images: ReadonlyMap<string, Uint8Array>
}

/**
 * What a model is sent, made from the transcript each time and never stored. Neighbouring user messages are joined, what another
 * issuer made for replay is left out, media that are not shown become a line of text, call ids are written so that every provider
 * takes them.
 */
export function toPrompt(system: string, messages: readonly New<Message>[], besideOf: (index: number) => SentBeside): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = system === '' ? [] : [{ role: 'system', content: system }]
  for (const [index, message] of messages.entries()) {
    const next = toEntry(message, besideOf(index))
    const last = prompt.at(-1)
    if (next.content.length === 0) continue
    if (last?.role === 'user' && next.role === 'user') last.content.push(...next.content)
    else if (last?.role === 'tool' && next.role === 'tool') last.content.push(...next.content)
    else prompt.push(next)
  }
  return prompt
}

function toEntry(message: New<Message>, { issuer, images }: SentBeside): Exclude<LanguageModelV3Message, { role: 'system' }> {
  switch (message.role) {
    case 'user':
    case 'summary':
      return { role: 'user', content: message.parts.flatMap((part) => userContent(part, images)) }
    case 'assistant':
      return { role: 'assistant', content: message.parts.flatMap((part) => answerContent(part, issuer)) }
    case 'tool':
      return { role: 'tool', content: [toolResult(message, images)] }
  }
}

function userContent(part: UserMessage['parts'][number], images: SentBeside['images']): Content<'user'> {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: wellFormed(part.text) }]
  const data = images.get(part.media.ref)
  const line = { type: 'text', text: mediaLine(part) } as const
  return data ? [line, { type: 'file', data, mediaType: part.media.mediaType }] : [line]
}

function answerContent(part: AssistantMessage['parts'][number], issuer: string | undefined): Content<'assistant'> {
  const own = part.replay?.issuer === issuer ? part.replay : undefined
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: wellFormed(part.text), ...replayed(own) }]
    case 'reasoning':
      return own ? [{ type: 'reasoning', text: part.text, ...replayed(own) }] : []
    case 'tool-call':
      return [{ type: 'tool-call', toolCallId: wireId(part.callId), toolName: part.name, input: part.input ?? {}, ...replayed(own) }]
  }
}

function replayed(replay: Replay | undefined): { providerOptions?: SharedV3ProviderOptions } {
  return replay && replay.data !== null ? { providerOptions: replay.data as SharedV3ProviderOptions } : {}
}

function toolResult(message: New<ToolMessage>, images: SentBeside['images']): LanguageModelV3ToolResultPart {
  return { type: 'tool-result', toolCallId: wireId(message.callId), toolName: message.name, output: resultOutput(message, images) }
}

function resultOutput({ parts, status }: New<ToolMessage>, images: SentBeside['images']): LanguageModelV3ToolResultPart['output'] {
  const lines = parts.map((part) => (part.type === 'media' ? mediaLine(part) : wellFormed(textOf({ parts: [part] }))))
  if (status !== 'ok') return { type: 'error-text', value: lines.join('\n') }
  const shown = parts.flatMap((part) => (part.type === 'media' ? [{ mediaType: part.media.mediaType, data: images.get(part.media.ref) }] : []))
  const pictures = shown.flatMap(({ data, mediaType }) =>
    data ? [{ type: 'image-data', data: Buffer.from(data).toString('base64'), mediaType } as const] : [],
  )
  const text = lines.join('\n')
  return pictures.length > 0 ? { type: 'content', value: [{ type: 'text', text }, ...pictures] } : { type: 'text', value: text }
}

function mediaLine({ media }: MediaPart): string {
  return `[${media.mediaType}${media.name ? ` "${media.name}"` : ''}, kept as ${media.ref}]`
}

/** Strict providers take 64 characters of this kind. */
function wireId(callId: string): string {
  if (/^[\w-]{1,64}$/.test(callId)) return callId
  return `call_${createHash('sha256').update(callId).digest('hex').slice(0, 32)}`
}

/** A lone surrogate is no text to any provider. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd')
}
