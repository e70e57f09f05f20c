import { memoryStore, type StateStore } from '@hermes/core'
import { definePlugin } from '@hermes/plugin-sdk'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { PaperHouses } from './paper-house.js'

const houses = new PaperHouses()

afterEach(() => houses.close())
afterAll(() => houses.dispose())

/** A store that does this before it opens. */
function storeThat(opens: () => Promise<void>): StateStore {
  const memory = memoryStore()
  return {
    engine: memory.engine,
    open: async () => {
      await opens()
      await memory.open()
    },
    execute: (name, args, options) => memory.execute(name, args, options),
    health: () => memory.health(),
    close: () => memory.close(),
  }
}

describe('the start of a gateway', () => {
  it('opens the store while plugins load: neither waits for the other', async () => {
    const steps: string[] = []
    let registered = (): void => {}
    const registration = new Promise<void>((resolve) => (registered = resolve))
    let opening = (): void => {}
    const open = new Promise<void>((resolve) => (opening = resolve))
    const store = storeThat(async () => {
      opening()
      await registration
      steps.push('opened')
    })
    const plugin = definePlugin({
      id: 'patient',
      async register() {
        await open
        steps.push('registered')
        registered()
      },
    })
    await houses.open({ plugins: [plugin], options: { store } })
    expect(steps).toEqual(['registered', 'opened'])
  })

  it('takes the plugins out again when the store cannot be opened', async () => {
    const steps: string[] = []
    let registered = (): void => {}
    const registration = new Promise<void>((resolve) => (registered = resolve))
    const store = storeThat(async () => {
      await registration
      throw new Error('no disk')
    })
    const plugin = definePlugin({
      id: 'guest',
      register(host) {
        host.onStop(() => void steps.push('undone'))
        registered()
      },
    })
    const { gateway, paper } = houses.build({ plugins: [plugin], options: { store } })
    await expect(gateway.start()).rejects.toThrow('no disk')
    expect(steps).toEqual(['undone'])
    expect(paper.contexts).toEqual([])
    expect(gateway.health()).toMatchObject({ state: 'stopped', plugins: [] })
  })
})
