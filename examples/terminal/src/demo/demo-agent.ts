import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createAgent, type Agent } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { demoTools } from './demo-tools.js'
import { answerOffline } from './offline-answers.js'
import type { RealModel } from './settings.js'

/** The demo's agent, on a real model or the offline one, which waits before every word so that one sees its answers grow. */
export function createDemoAgent(model: RealModel | undefined, wordDelayMs = 10): Agent {
  return createAgent({
    model: model ? realModel(model) : offlineModel(wordDelayMs),
    instructions: 'You are hermes, a helpful assistant in a chat. Answer briefly, in the language of the person.',
    tools: demoTools,
  })
}

/** What must appear in no log, error or chat. */
export function secretsOf(model: RealModel | undefined): string[] {
  return model ? [model.apiKey] : []
}

function realModel({ baseUrl, apiKey, name }: RealModel) {
  return createOpenAICompatible({ name: 'demo', baseURL: baseUrl, apiKey }).chatModel(name)
}

function offlineModel(deltaDelayMs: number): ScriptedModel {
  const script = ({ prompt }: Parameters<ScriptedModel['doStream']>[0]) => {
    const step = answerOffline(prompt)
    return 'text' in step ? step.text : [{ toolCall: { name: step.toolName, input: step.input } }]
  }
  return new ScriptedModel(script, { provider: 'hermes', modelId: 'offline', deltaDelayMs })
}
