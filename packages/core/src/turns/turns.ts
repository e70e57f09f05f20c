import { HermesError, type Run, type RunRequest, type StopReason } from '@hermes/plugin-sdk'
import { stopReason } from '../kernel/index.js'
import { persist, type TurnClaim } from '../store/index.js'
import { LaneTranscript } from './lane-transcript.js'
import { OpenTurns } from './open-turns.js'
import type { TurnPorts } from './ports.js'
import { Runs, type RunCaller } from './runs.js'
import { TranscriptCache } from './transcript-cache.js'
import { liveTurn, type TurnHouse } from './turn-life.js'

/** Pauses before a lane that cannot go on is tried again, milliseconds: doubled from the first to the longest. */
const firstPauseMs = 1000
const longestPauseMs = 60_000

/** One lane per conversation; in it one turn at a time, in order. */
export interface Turns {
  /** Begins to work, first on what a crash or a stop left over. */
  start(): Promise<void>
  /** Something waits in the lane. */
  wake(lane: string): void
  /** Stores the stop and tells the running turn. `false`: no turn is open. */
  stop(lane: string, kind: 'stop'): Promise<boolean>
  /** Tells the running turn that its conversation is over; the store knows already. */
  abandon(lane: string): void
  isBusy(lane: string): boolean
  /** A turn for an application or a plugin, in the lane of a session or in one of its own. It goes into no chat. Never throws. */
  run(caller: RunCaller, request: RunRequest): Run
  /** Turns that run here. */
  readonly running: number
  /** Parks every running turn and waits for it: nothing of it is lost, the next process goes on. */
  close(): Promise<void>
}

/** Makes the turns of one process. */
export function createTurns(ports: TurnPorts): Turns {
  const open = new OpenTurns()
  const transcripts = new TranscriptCache()
  const drains = new Set<Promise<void>>()
  const shutdown = new AbortController()
  const runs = new Runs(ports, { open, shutdown: shutdown.signal })
  const drain = (lane: string): Promise<void> => {
    const done = drainLane(lane, ports, { open, transcripts, runs, shutdown: shutdown.signal }).finally(() => drains.delete(done))
    drains.add(done)
    return done
  }
  let serving: Disposable | undefined
  return {
    async start() {
      const lanes = await ports.store.execute('lane.ready', {})
      serving = ports.dispatch.serve(drain)
      for (const lane of lanes) ports.dispatch.wake(lane)
    },
    wake: (lane) => ports.dispatch.wake(lane),
    async stop(lane, kind) {
      const reason = stopReason(kind)
      const id = ports.ids.next('command')
      const args = { lane, reason, at: ports.clock.now() }
      const { outcome } = await persist(ports.store, { id, name: 'turn.stop', args }, { clock: ports.clock, signal: shutdown.signal })
      // Where none is open any more, the next one may run by now: it is not meant.
      if (outcome === 'none') return false
      open.stop(lane, reason)
      return true
    },
    abandon: (lane) => void open.stop(lane, stopReason('reset')),
    isBusy: (lane) => open.has(lane),
    run: (...request) => runs.start(...request),
    get running() {
      return drains.size
    },
    async close() {
      serving?.[Symbol.dispose]()
      const reason: StopReason = stopReason('shutdown')
      shutdown.abort(reason)
      open.stopAll(reason)
      await Promise.all(drains)
      await runs.close()
    },
  }
}

/** Works a lane off, turn by turn. Never rejects: what cannot be done now is said, and waits in the store. */
async function drainLane(lane: string, ports: TurnPorts, house: TurnHouse): Promise<void> {
  let pauseMs = firstPauseMs
  while (!house.shutdown.aborted) {
    try {
      if (!(await liveNext(lane, ports, house))) return
      pauseMs = firstPauseMs
    } catch (error) {
      if (house.shutdown.aborted || HermesError.is(error, 'stopped')) return
      ports.logger.error({ lane, pauseMs, error }, 'A lane could not go on; it is tried again.')
      await ports.clock.sleep(pauseMs, house.shutdown).catch(() => undefined)
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    }
  }
}

/** Lives the lane's next turn; `false`: nothing waits behind it, or the lane belongs to somebody else now. */
async function liveNext(lane: string, ports: TurnPorts, house: TurnHouse): Promise<boolean> {
  const turn = ports.ids.next('turn')
  const held = house.transcripts.get(lane)
  const claim = await ports.store.execute('turn.claim', { lane, turn, at: ports.clock.now(), known: held?.epoch })
  if (!claim) return false
  house.transcripts.delete(lane)
  // A turn that was cut off keeps its id; its rows were taken up by its first life.
  ports.onTaken(claim.turn === turn ? claim.items.length : 0)
  const growing = transcriptOf(claim, held)
  return (await liveTurn({ ...claim, transcript: growing.current, growing }, ports, house)) === 'ended-before-others'
}

function transcriptOf({ lane, transcript }: TurnClaim, held: LaneTranscript | undefined): LaneTranscript {
  if (transcript !== 'known') return new LaneTranscript(transcript)
  if (!held) throw new Error(`The store left out the transcript of lane ${lane}, though nobody said that it is known here.`)
  return held
}
