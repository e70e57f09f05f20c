import { parentPort, workerData } from 'node:worker_threads'
import { serve } from './worker/serve.js'
import type { WorkerSetup } from './wire.js'

if (!parentPort) throw new Error('This file is the worker thread of a store; start it through sqliteStore().')
void serve(parentPort, workerData as WorkerSetup)
