import { runGroups, type CaseGroups, type SkippedCases } from '../case-groups.js'
import type { SkippingTestApi } from '../test-api.js'
import { acknowledgeCases } from './acknowledge-cases.js'
import { actCases } from './act-cases.js'
import { attachmentCases } from './attachment-cases.js'
import { connectCases } from './connect-cases.js'
import { menuCases } from './menu-cases.js'
import type { AdapterUnderTest } from './platform-double.js'
import { receiveCases } from './receive-cases.js'
import { reconnectCases } from './reconnect-cases.js'
import { requestCases } from './request-cases.js'
import { sendCases } from './send-cases.js'
import { shapeCases } from './shape-cases.js'
import { Stage, type AdapterCase } from './stage.js'
import { streamCases } from './stream-cases.js'

/** What the suite needs to know of an adapter. */
export interface AdapterConformance {
  /** A fresh platform for every case; the suite stops it. */
  readonly start: () => Promise<AdapterUnderTest>
  /** What this platform cannot do: `send` or `send: <promise>` → reason. */
  readonly skip?: SkippedCases | undefined
}

const groups: CaseGroups<Stage> = {
  shape: shapeCases,
  connect: connectCases,
  receive: receiveCases,
  act: actCases,
  acknowledge: acknowledgeCases,
  reconnect: reconnectCases,
  send: sendCases,
  'a stream': streamCases,
  attachment: attachmentCases,
  menu: menuCases,
  request: requestCases,
}

/**
 * The promises that every adapter keeps, as tests: `adapterConformance({ describe, it }, { start })`. They run on real sockets and
 * on a clock that is a hundred times as fast as people's. Throws for a name in `skip` that no group and no case has.
 */
export function adapterConformance(test: SkippingTestApi, { start, skip }: AdapterConformance): void {
  runGroups(test, groups, { skip, play: (check) => play(start, check) })
}

async function play(start: AdapterConformance['start'], check: AdapterCase[1]): Promise<void> {
  const stage = new Stage(await start())
  try {
    await check(stage)
  } finally {
    await stage.end()
  }
}
