import { HermesError, type Clock, type ToolContext, type ToolResult } from '@hermes/plugin-sdk'
import type { CallRecord } from '../hooks/index.js'
import { runAsOurs } from '../kernel/index.js'
import type { AnyTool } from './any-tool.js'
import type { ToolAsking } from './tool-asking.js'
import { issueOfResult, thrownResult, toResult } from './tool-result.js'

/** How a run ended. `interrupted`: it was told to stop and gave nothing in time. */
export type ToolEnd = { readonly status: 'ok' | 'error'; readonly result: ToolResult } | { readonly status: 'interrupted'; readonly why: string }

/** What a run needs beside its tool. */
export interface ToolRunOptions {
  readonly input: unknown
  readonly context: Omit<ToolContext, 'signal' | 'ask'>
  readonly asking: ToolAsking
  readonly stop: AbortSignal
  /** Resolves when nobody waits for it any more. */
  readonly whenCut: Promise<void>
  readonly timeoutMs: number
  /** How long a tool that is told to stop may take to do so. */
  readonly graceMs: number
  readonly clock: Clock
  /** Where it is counted how the tool does. A tool that was told to stop has not failed. */
  readonly record?: CallRecord | undefined
}

/** Runs a tool, isolated: a throw is a result, and no tool runs longer than its time. Never rejects. */
export async function runTool(tool: AnyTool, options: ToolRunOptions): Promise<ToolEnd> {
  const told = new AbortController()
  const over = new AbortController()
  const passOn = (): void => told.abort(options.stop.reason)
  options.stop.addEventListener('abort', passOn, { once: true })
  if (options.stop.aborted) passOn()
  const context: ToolContext = {
    ...options.context,
    signal: told.signal,
    ask: async (question) => runAsOurs(() => options.asking.ask(question)),
    progress: (update) => {
      if (!over.signal.aborted) runAsOurs(() => options.context.progress(update))
    },
  }
  try {
    const cut = options.whenCut.then((): ToolEnd => ({ status: 'interrupted', why: 'it did not stop when it was told to' }))
    return await Promise.race([invoke(tool, context, options), enforceTime(told, over.signal, options), cut])
  } finally {
    options.stop.removeEventListener('abort', passOn)
    over.abort()
  }
}

async function invoke(tool: AnyTool, context: ToolContext, { input, record, clock }: ToolRunOptions): Promise<ToolEnd> {
  const since = clock.now()
  const run = async (): Promise<unknown> => await tool.run(input, context)
  record?.began()
  try {
    const returned = await (record ? record.run(run) : run())
    const result = toResult(returned)
    const issue = issueOfResult(returned)
    if (issue !== undefined) record?.failed(new TypeError(issue), since)
    else if (!context.signal.aborted) record?.succeeded(since)
    return { status: result.isError ? 'error' : 'ok', result }
  } catch (error) {
    if (context.signal.aborted) return { status: 'interrupted', why: isTimeout(context.signal.reason) ? 'it took too long' : 'it was told to stop' }
    record?.failed(error, since)
    return { status: 'error', result: thrownResult(error) }
  }
}

/** Resolves when the time and the grace are over, without the time in which the tool waited for people; stays pending when `over` aborts first. */
async function enforceTime(told: AbortController, over: AbortSignal, options: ToolRunOptions): Promise<ToolEnd> {
  try {
    for (let leftMs = options.timeoutMs; leftMs > 0; leftMs = await options.asking.takePausedMs()) await options.clock.sleep(leftMs, over)
    const { timeoutMs, record } = options
    record?.timedOut()
    record?.failed(new HermesError('timed-out', `It did not end within ${timeoutMs} ms.`, { what: 'tool', timeoutMs }))
    told.abort(new DOMException(`The tool took longer than ${timeoutMs} ms.`, 'TimeoutError'))
    await options.clock.sleep(options.graceMs, over)
  } catch {
    return new Promise(() => undefined)
  }
  return { status: 'interrupted', why: 'it took too long, and did not stop when it was told to' }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}
