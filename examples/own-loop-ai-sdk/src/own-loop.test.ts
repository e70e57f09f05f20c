import { runTurn } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { agentRuntimeConformance } from '@hermes/plugin-sdk/conformance'
import { describe, it } from 'vitest'
import { ownLoop } from './own-loop.js'

describe('a loop over streamText keeps what every agent loop promises:', () => {
  agentRuntimeConformance({ describe, it }, { runTurn, create: (script) => ownLoop(ScriptedModel.playing(script)) })
})
