import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import type { AgentTurn, JsonValue, New, ToolListing, UserMessage } from '@hermes/plugin-sdk'
import { concede, readConcessions, sentFrom, type Concessions } from './concessions.js'
import type { Remedy, RequestSize } from './failure-rules.js'
import { ModelImages } from './model-images.js'
import type { ModelPort } from './model-port.js'
import { toPrompt, type SentBeside } from './model-prompt.js'
import { issuerOf } from './model.js'
import { plainSchema } from './plain-schema.js'
import { requestSize } from './request-size.js'

const noImages: SentBeside['images'] = new Map()

/** What a request asks beyond the conversation. */
export interface Asked {
  /** Sent behind it, never stored. */
  readonly more?: readonly New<UserMessage>[] | undefined
  readonly toolChoice?: LanguageModelV3CallOptions['toolChoice']
}

/** Makes the requests of a turn, without what the model refused. */
export class ModelRequests {
  readonly model: ModelPort
  readonly #turn: AgentTurn
  readonly #contextWindow: number
  readonly #images: ModelImages
  #concessions: Concessions

  constructor(turn: AgentTurn, { model, contextWindow }: { readonly model: ModelPort; readonly contextWindow: number }) {
    this.model = model
    this.#turn = turn
    this.#contextWindow = contextWindow
    this.#concessions = readConcessions(turn.state, issuerOf(model))
    this.#images = new ModelImages(turn.media)
  }

  /** How large the next request is. */
  get size(): RequestSize {
    const { system, messages, tools } = this.#turn
    return requestSize({ system, messages, tools: tools.list }, this.#contextWindow)
  }

  /** The next requests do without something. The state to store; `undefined`: they do without it already. */
  concede(remedy: Remedy): JsonValue | undefined {
    const conceded = concede(this.#concessions, remedy, this.#turn.messages)
    if (conceded) this.#concessions = conceded
    return conceded
  }

  /** The next request, of what the conversation is now. */
  async next({ more = [], toolChoice }: Asked): Promise<LanguageModelV3CallOptions> {
    const { system, messages, tools } = this.#turn
    const results = this.model.takesResultImages && !this.#isWithout('media-in-results')
    const images = await this.#images.shownOf(messages, { results })
    const replayFrom = sentFrom(this.#concessions, 'replay', messages)
    const imagesFrom = sentFrom(this.#concessions, 'media', messages)
    const issuer = issuerOf(this.model)
    const prompt = toPrompt(system, [...messages, ...more], (index) => ({
      issuer: index < replayFrom ? undefined : issuer,
      images: index < imagesFrom || (messages[index]?.role === 'tool' && !results) ? noImages : images,
    }))
    const isPlain = this.#isWithout('schema-patterns')
    const options: LanguageModelV3CallOptions = { prompt }
    if (tools.list.length > 0) options.tools = tools.list.map((tool) => toFunctionTool(tool, isPlain))
    if (toolChoice) options.toolChoice = toolChoice
    return options
  }

  #isWithout(remedy: Remedy): boolean {
    return this.#concessions.without[remedy] !== undefined
  }
}

function toFunctionTool({ name, description, inputSchema }: ToolListing, isPlain: boolean): LanguageModelV3FunctionTool {
  const schema = isPlain ? plainSchema(inputSchema) : inputSchema
  return { type: 'function', name, description, inputSchema: schema as LanguageModelV3FunctionTool['inputSchema'] }
}
