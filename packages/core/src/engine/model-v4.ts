import type { LanguageModelV3CallOptions, LanguageModelV3Message, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { takesResultImages, type ModelPort } from './model-port.js'

/** What the engine uses of a model of specification v4, whose types are in a package that needs Node 22. */
export interface LanguageModelV4 {
  readonly specificationVersion: 'v4'
  readonly provider: string
  readonly modelId: string
  // oxlint-disable-next-line typescript/no-explicit-any -- the options of v4, which `toV4` makes
  doStream(options: any): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

/**
 * A model of specification v4 (AI SDK 7): files say how their data come. Parts that v3 does not have are left out by whoever reads the
 * stream. A finish that says `interrupted` is none: the provider's stream broke off, and the answer with it.
 */
export function portOfV4(model: LanguageModelV4): ModelPort {
  return {
    provider: model.provider,
    modelId: model.modelId,
    takesResultImages: takesResultImages(model.provider),
    async doStream(options) {
      const { stream } = await model.doStream(toV4(options))
      const parts = stream as ReadableStream<LanguageModelV3StreamPart>
      return { stream: parts.pipeThrough(new TransformStream({ transform: (part, out) => (isBrokenOff(part) ? undefined : out.enqueue(part)) })) }
    },
  }
}

function toV4({ prompt, ...options }: LanguageModelV3CallOptions): object {
  return { ...options, prompt: prompt.map(toV4Message) }
}

function toV4Message(message: LanguageModelV3Message): object {
  switch (message.role) {
    case 'user':
      return {
        ...message,
        content: message.content.map((part) => (part.type === 'file' ? { ...part, data: { type: 'data', data: part.data } } : part)),
      }
    case 'tool':
      return { ...message, content: message.content.map(toV4Result) }
    default:
      return message
  }
}

function toV4Result(part: Extract<LanguageModelV3Message, { role: 'tool' }>['content'][number]): object {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part
  const value = part.output.value.map((item) =>
    item.type === 'image-data' ? { type: 'file', mediaType: item.mediaType, data: { type: 'data', data: item.data } } : item,
  )
  return { ...part, output: { type: 'content', value } }
}

function isBrokenOff(part: LanguageModelV3StreamPart): boolean {
  return part.type === 'finish' && (part.finishReason.unified as string) === 'interrupted'
}
