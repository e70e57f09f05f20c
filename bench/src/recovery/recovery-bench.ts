import { setTimeout as sleep } from 'node:timers/promises'
import { median, percentile } from '../statistics.js'
import { textTable } from '../text-table.js'
import { firstConflictWaitMs, slowMs, startBenchHouse, type BenchHouse } from './bench-house.js'

const outageMs = 3000

/** How soon people are answered beside a busy chat, after a second poller, and after an outage of the platform. */
export async function runRecoveryBench(rounds: number): Promise<string> {
  const rows: { quietP95: number; busyP95: number; conflict: number; outage: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const house = await startBenchHouse()
    try {
      const quietP95 = await askFor(house, slowMs)
      rows.push({ quietP95, busyP95: await besideBusyChat(house), conflict: await afterConflict(house), outage: await afterOutage(house) })
    } finally {
      await house.stop()
    }
  }
  const figure = (pick: (row: (typeof rows)[number]) => number): number => median(rows.map(pick))
  return textTable([
    ['', 'ms', 'goal'],
    ['p95 of an answer, nothing else going on', figure((row) => row.quietP95).toFixed(0), ''],
    [`more than that beside a chat that is busy for ${slowMs} ms`, figure((row) => row.busyP95 - row.quietP95).toFixed(0), '< 250'],
    ['answer after one 409, beyond the first wait', figure((row) => row.conflict - firstConflictWaitMs).toFixed(0), '< 2000'],
    [`answer after ${outageMs} ms of 502, from their end`, figure((row) => row.outage).toFixed(0), '< 500'],
  ])
}

async function besideBusyChat(house: BenchHouse): Promise<number> {
  const busy = house.ask(house.telegram.addPrivateChat(), 'slow')
  const p95 = await askFor(house, slowMs - 500)
  await busy
  return p95
}

/** Asks in ten chats in turn for so long; gives the p95. */
async function askFor(house: BenchHouse, ms: number): Promise<number> {
  const chats = Array.from({ length: 10 }, () => house.telegram.addPrivateChat())
  const times: number[] = []
  for (const end = performance.now() + ms; performance.now() < end;) {
    for (const chat of chats) times.push(await house.ask(chat, 'quick'))
  }
  return percentile(times, 0.95)
}

async function afterConflict(house: BenchHouse): Promise<number> {
  const fault = house.telegram.faults.add({ kind: 'conflict', method: 'getUpdates' })
  await endPoll(house)
  await house.telegram.waitFor(() => fault.hits === 1)
  return house.ask(house.telegram.addPrivateChat(), 'after the conflict')
}

async function afterOutage(house: BenchHouse): Promise<number> {
  const fault = house.telegram.faults.add({ kind: 'error-before', method: 'getUpdates', times: Number.POSITIVE_INFINITY })
  await endPoll(house)
  await sleep(outageMs)
  const answered = house.ask(house.telegram.addPrivateChat(), 'after the outage')
  fault.remove()
  return answered
}

/** A fault meets the next poll, not the one that waits: a message ends that one. */
async function endPoll(house: BenchHouse): Promise<void> {
  await house.ask(house.telegram.addPrivateChat(), 'ends the poll that waits')
}
