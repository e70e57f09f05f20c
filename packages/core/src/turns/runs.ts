import { HermesError, type HermesErrorDetails, type Run, type RunRequest, type StopReason, type TurnOutcome } from '@hermes/plugin-sdk'
import { stopReason } from '../kernel/index.js'
import { persist, type RunOrder, type StoreCommandName, type StoreCommands } from '../store/index.js'
import { OpenRun } from './open-run.js'
import type { OpenTurns } from './open-turns.js'
import type { TurnPorts } from './ports.js'

/** Runs that one caller may have open at once: more is a loop that went wrong. */
const mostOpen = 1000

/** Who asks for a run, and when all of theirs end. */
export interface RunCaller {
  /** `plugin:<id>` or `gateway`. */
  readonly name: string
  readonly leaving?: AbortSignal | undefined
}

/** What the runs of one process need of its turns. */
export interface RunHouse {
  readonly open: OpenTurns
  /** Aborts when the process is to end: nothing is insisted on any more. */
  readonly shutdown: AbortSignal
}

/** The runs that this process has not seen the end of. */
export class Runs {
  readonly #ports: TurnPorts
  readonly #house: RunHouse
  readonly #open = new Map<string, OpenRun>()
  readonly #byCaller = new Map<string, number>()
  /** What the store is asked; none of it rejects. */
  readonly #underWay = new Set<Promise<void>>()

  constructor(ports: TurnPorts, house: RunHouse) {
    this.#ports = ports
    this.#house = house
  }

  /** A new run, or the open one of this key. */
  start(caller: RunCaller, request: RunRequest): Run {
    const id = request.key === undefined ? this.#ports.ids.next('run') : `key:${request.key}`
    const order: RunOrder = { by: caller.name, id, input: request.input, isKeyed: request.key !== undefined }
    const signals = [caller.leaving, request.signal].filter((signal) => signal !== undefined)
    const known = this.#open.get(nameOf(order))
    const run = known ?? new OpenRun()
    const refusal = refusedBy(signals) ?? (known ? undefined : this.#refusalOf(order))
    if (refusal) return refusedRun(refusal)
    if (!known) this.#keep(run, order)
    const accepted = known ? Promise.resolve() : this.#accept(run, order, request.sessionKey)
    this.#track(accepted.then(() => this.#endWith(run, order, signals)))
    return run.handle
  }

  /** The open run of an order that comes to its turn; `undefined`: nobody hears it, nor will. */
  of(order: RunOrder): OpenRun | undefined {
    const known = this.#open.get(nameOf(order))
    if (known || !order.isKeyed) return known
    const run = new OpenRun()
    this.#keep(run, order)
    return run
  }

  /** Nothing goes on here any more: those whose turn has not begun are found by the next process. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay)
    for (const run of this.#open.values()) run.end(endedBy(stopReason('shutdown')))
  }

  #refusalOf({ by }: RunOrder): HermesError | undefined {
    if (this.#house.shutdown.aborted) return new HermesError('stopped', 'The run came too late: the gateway is stopped.', { what: 'gateway' })
    if ((this.#byCaller.get(by) ?? 0) < mostOpen) return undefined
    return refused('full', `The run was not begun: ${mostOpen} runs of ${by} are open, as many as one caller may have.`)
  }

  /** Never rejects. */
  async #accept(run: OpenRun, order: RunOrder, key: string | undefined): Promise<void> {
    const { ids, waitingLimit: limit, clock, dispatch } = this.#ports
    try {
      await this.#ports.whenOpen
      const added = await this.#insist('run.add', { order, key, lane: ids.next('conversation'), limit, at: clock.now() })
      if (added.outcome === 'ended') return run.end(added.result)
      if (added.outcome === 'no-session') return run.refuse(refused('no-session', `The run was refused: nobody has spoken in a session ${key}.`))
      if (added.outcome === 'full') return run.refuse(refused('full', `The run was refused: ${limit} messages wait in session ${key}.`))
      if (added.outcome === 'queued') this.#ports.onStored()
      dispatch.wake(added.lane)
    } catch (error) {
      const isClosing = this.#house.shutdown.aborted && !HermesError.is(error)
      run.refuse(isClosing ? new HermesError('stopped', 'The gateway was stopped before the run was stored.', { what: 'gateway' }) : error)
    }
  }

  /** Whoever aborts a run ends it for all who hear it. */
  #endWith(run: OpenRun, order: RunOrder, signals: readonly AbortSignal[]): void {
    if (run.over.aborted) return
    const end = (): void => this.#track(this.#disconnect(run, order))
    for (const signal of signals) {
      if (signal.aborted) return end()
      signal.addEventListener('abort', end, { once: true })
      run.over.addEventListener('abort', () => signal.removeEventListener('abort', end), { once: true })
    }
  }

  /** Never rejects. */
  async #disconnect(run: OpenRun, { by, id }: RunOrder): Promise<void> {
    const { clock, logger } = this.#ports
    const reason = stopReason('disconnect')
    try {
      const stopped = await this.#insist('run.stop', { by, id, reason, at: clock.now() })
      if (stopped.outcome === 'none') return
      if (stopped.outcome === 'withdrawn') {
        this.#ports.onTaken(1)
        return run.end(endedBy(reason))
      }
      run.stop = reason
      this.#house.open.stop(stopped.lane, reason, stopped.turn)
    } catch (error) {
      if (!this.#house.shutdown.aborted) logger.error({ by, error }, 'A run that its caller left could not be ended.')
    }
  }

  #track(work: Promise<void>): void {
    const done = work.finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }

  #keep(run: OpenRun, order: RunOrder): void {
    const name = nameOf(order)
    this.#open.set(name, run)
    this.#byCaller.set(order.by, (this.#byCaller.get(order.by) ?? 0) + 1)
    const drop = (): void => {
      this.#open.delete(name)
      const left = (this.#byCaller.get(order.by) ?? 1) - 1
      if (left > 0) this.#byCaller.set(order.by, left)
      else this.#byCaller.delete(order.by)
    }
    run.over.addEventListener('abort', drop, { once: true })
  }

  #insist<N extends StoreCommandName>(name: N, args: StoreCommands[N]['args']): Promise<StoreCommands[N]['result']> {
    const { store, clock, ids, logger } = this.#ports
    const onFailure = (error: unknown, waitMs: number): void =>
      logger.warn({ command: name, waitMs, error }, 'The store did not take what a run needs; it is tried again.')
    return persist(store, { id: ids.next('command'), name, args }, { clock, signal: this.#house.shutdown, onFailure })
  }
}

function nameOf({ by, id }: RunOrder): string {
  return JSON.stringify([by, id])
}

function refused(reason: HermesErrorDetails['run.refused']['reason'], message: string, cause?: unknown): HermesError<'run.refused'> {
  return new HermesError('run.refused', message, { reason }, cause === undefined ? {} : { cause })
}

function refusedBy(signals: readonly AbortSignal[]): HermesError | undefined {
  const aborted = signals.find((signal) => signal.aborted)
  return aborted && refused('aborted', 'The run was not begun: its signal is aborted.', aborted.reason)
}

function refusedRun(refusal: HermesError): Run {
  const run = new OpenRun()
  run.refuse(refusal)
  return run.handle
}

/** The outcome of a turn that did not begin. */
function endedBy(stop: StopReason): TurnOutcome {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  return { status: stop.kind === 'shutdown' ? 'parked' : 'interrupted', text: '', steps: 0, usage, stop }
}
