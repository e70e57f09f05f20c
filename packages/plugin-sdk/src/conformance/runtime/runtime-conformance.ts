import type { AgentRuntime } from '../../agent.js'
import type { TestApi } from '../test-api.js'
import { answerCases } from './answer-cases.js'
import { hostileCases } from './hostile-cases.js'
import { RecordedScript, type ModelScript } from './model-script.js'
import { noteCases, queuedNoteCases } from './note-cases.js'
import { restartCases } from './restart-cases.js'
import { stopCases } from './stop-cases.js'
import type { RuntimeCase } from './stage.js'
import { toolCases } from './tool-cases.js'
import type { TurnHost } from './turn-host.js'

/** What the suite needs to know of an agent loop. */
export interface RuntimeConformance {
  /** A fresh runtime over a model that plays the script. It holds nothing of a turn: a case may make two over one script. */
  readonly create: (script: ModelScript) => AgentRuntime
  /** The host of a turn: `runTurn` of `@hermes/core`. */
  readonly runTurn: TurnHost
}

/**
 * The promises that every `AgentRuntime` keeps, as tests: `agentRuntimeConformance({ describe, it }, { create, runTurn })`. They run
 * on real time and end within a second each. The cases of notes are those of the runtime's `steers`.
 */
export function agentRuntimeConformance(test: TestApi, setup: RuntimeConformance): void {
  const { steers = false } = setup.create(new RecordedScript([]))
  const groups: { readonly [name: string]: readonly RuntimeCase[] } = {
    answers: answerCases,
    tools: toolCases,
    notes: steers ? noteCases : queuedNoteCases,
    stops: stopCases,
    restarts: restartCases,
    'what goes wrong': hostileCases,
  }
  for (const [group, cases] of Object.entries(groups))
    test.describe(group, () => {
      for (const [promise, check] of cases) test.it(promise, () => check(setup))
    })
}
