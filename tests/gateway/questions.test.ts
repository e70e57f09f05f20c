import { createAgent } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { defineTool, type Tool } from '@hermes/plugin-sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestBot, type TestBot } from './test-bot.js'

const bots: TestBot[] = []

afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.stop()
})

/** What a person in a chat reads when the model calls this tool and says what it gave back. */
async function answerOf(tool: Tool): Promise<string> {
  const model = ScriptedModel.toolThenAnswer({ name: tool.name, input: {} })
  const bot = await startTestBot(createAgent({ model, tools: [tool] }))
  bots.push(bot)
  const chat = bot.telegram.addPrivateChat()
  bot.telegram.say(chat, 'go')
  return bot.telegram.waitFor(() => bot.telegram.answers(chat)[0])
}

describe('a tool in a chat where nobody can be asked', () => {
  it('does not run where it needs approval: silence is not consent', async () => {
    let ran = false
    const tool = defineTool({ name: 'wipe', description: 'Wipes.', input: z.object({}), approval: 'always', run: () => ((ran = true), 'wiped') })
    expect(await answerOf(tool as Tool)).toContain('Not run: it needs the approval of a person, and nobody is there to be asked.')
    expect(ran).toBe(false)
  })

  it('goes on without an answer to its question, at once', async () => {
    const tool = defineTool({
      name: 'greet',
      description: 'Greets.',
      input: z.object({}),
      async run(_input, { ask }) {
        const answer = await ask({ id: 'name', kind: 'text', text: 'Who are you?' })
        return answer.kind === 'unanswered' ? `Hello, whoever you are (${answer.why}).` : 'Hello.'
      },
    })
    expect(await answerOf(tool as Tool)).toBe('Hello, whoever you are (nobody).')
  })
})
