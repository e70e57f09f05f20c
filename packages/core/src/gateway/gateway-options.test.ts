import type { AgentRuntime, HermesError } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { hookTimeoutMs, parseGatewayOptions } from './gateway-options.js'

const agent: AgentRuntime = { id: 'test', run: async function* () {} }

describe('the time limit of hooks', () => {
  // plugins 30
  it.each([
    [undefined, 30_000],
    [2.5, 2500],
    [0, undefined],
    [9999, 600_000],
  ])('of %s seconds is %s ms', (hookTimeoutSeconds, ms) => {
    expect(hookTimeoutMs(parseGatewayOptions({ agent, hookTimeoutSeconds }))).toBe(ms)
  })

  // plugins 30
  it.each(['abc', '30', -1, Number.NaN, Infinity, null])('of %s is refused, naming the option', (hookTimeoutSeconds) => {
    const refusal = ((): HermesError<'options.invalid'> => {
      try {
        parseGatewayOptions({ agent, hookTimeoutSeconds: hookTimeoutSeconds as number })
      } catch (error) {
        return error as HermesError<'options.invalid'>
      }
      return expect.unreachable()
    })()
    expect(refusal).toMatchObject({ code: 'options.invalid', detail: { issues: [{ path: 'hookTimeoutSeconds' }] } })
  })
})
