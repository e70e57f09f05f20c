import { createAgent, createGateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { ScriptedModel } from '@hermes/core/testing'
import { definePlugin } from '@hermes/plugin-sdk'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

it('keeps what a plugin stores while it registers for the next process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-storage-'))
  const starts: number[] = []
  const counting = definePlugin({
    id: 'counting',
    async register({ storage }) {
      const counts = storage.collection('starts', z.object({ count: z.int() }))
      const before = await counts.get('all')
      const after = await counts.put({ key: 'all', value: { count: (before?.value.count ?? 0) + 1 }, ifVersion: before?.version ?? 'absent' })
      starts.push(after?.value.count ?? -1)
    },
  })
  for (let process = 0; process < 2; process++) {
    const agent = createAgent({ model: ScriptedModel.echo() })
    const gateway = createGateway({ agent, store: sqliteStore(join(folder, 'hermes.db')), plugins: [counting], logger: silent })
    await gateway.start()
    await gateway.stop()
  }
  await rm(folder, { recursive: true })
  expect(starts).toEqual([1, 2])
})
